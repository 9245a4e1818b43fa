import type { RequestContext } from "../context.ts";
import { forbidden } from "../errors.ts";

// The prefix lets only this host set the cookie: neither another subdomain nor a page without TLS.
const cookieName = "__Host-console";

const tokenPattern = /^[0-9a-f]{40}$/;

/**
 * The token of the console's cookie; null without one. Two different ones are none, because a
 * browser cannot hold them both.
 */
export function readConsoleToken(c: Pick<RequestContext, "req">): string | null {
  const tokens = new Set(
    (c.req.header("cookie") ?? "")
      .split(";")
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(`${cookieName}=`))
      .map((pair) => pair.slice(cookieName.length + 1)),
  );
  const [token] = tokens;
  return token !== undefined && tokens.size === 1 && tokenPattern.test(token) ? token : null;
}

/** The Set-Cookie header that gives the browser a token, or takes it away. */
export const consoleCookieHeader = (token: string, maxAgeSeconds: number): string =>
  `${cookieName}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Strict`;

/** Whether the origin is that of this host. */
export const isOwnOrigin = (c: Pick<RequestContext, "req">, origin: string): boolean =>
  origin === new URL(c.req.url).origin;

/**
 * Refuses a write with the cookie that another site's page may have sent: a browser names the page's
 * origin with every write (docs/contract/members.md#console-origin).
 *
 * @throws Refusal FORBIDDEN
 */
export function assertOwnOrigin(c: Pick<RequestContext, "req">): void {
  const origin = c.req.header("origin");
  if (origin !== undefined && isOwnOrigin(c, origin)) return;
  throw forbidden("A write with the console's cookie needs the header Origin of this host.");
}
