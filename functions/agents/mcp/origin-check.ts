const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Whether a request comes from no browser, or from a page of this service. A name that an attacker
 * let point to this service has no certificate here, so over plain HTTP only loopback names count.
 */
export function hasOwnOrigin(request: Request, publicUrl: string | undefined): boolean {
  const origin = request.headers.get("Origin");
  if (origin === null) return true;
  if (publicUrl !== undefined && origin === URL.parse(publicUrl)?.origin) return true;
  const own = new URL(request.url);
  const isTrusted =
    own.protocol === "https:" ||
    loopbackHosts.includes(own.hostname) ||
    own.hostname.endsWith(".localhost");
  return isTrusted && origin === own.origin;
}
