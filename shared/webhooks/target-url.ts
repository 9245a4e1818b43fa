import { isIpAddress, isLoopbackAddress, isPublicIpAddress } from "./ip-ranges.ts";

const maxLength = 2_048;

/** Domains that exist only on private networks. */
const privateSuffixes: readonly string[] = [
  "localhost",
  "local",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "localdomain",
  "home.arpa",
];

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Why this URL may not receive webhooks, or null when it may (docs/contract/events.md#webhook-url).
 * The URL is checked in the form in which `fetch` uses it. The addresses of a host name are not
 * checked. `allowLocal` allows http and https on loopback.
 */
export function targetUrlProblem(
  text: string,
  { allowLocal }: { allowLocal: boolean },
): string | null {
  const url = parseStrictUrl(text);
  if (!url) return "must be an absolute https URL of at most 2048 characters.";
  if (hasCredentials(text, url)) return "must not hold credentials.";
  const host = url.hostname.replace(/\.$/, "");
  if (allowLocal && (host === "localhost" || isLoopbackAddress(host))) return null;
  if (url.protocol !== "https:") return "must be https.";
  if (!isPublicHost(host)) return "must name a public host.";
  const port = url.port === "" ? 443 : Number(url.port);
  return port === 443 || port >= 1024 ? null : "must use port 443, or one from 1024 on.";
}

/**
 * Parses a URL. Rejects blanks, backslashes and missing slashes, which `new URL` would accept,
 * because they are typing errors.
 */
function parseStrictUrl(text: string): URL | null {
  const isWellFormed = /^https?:\/\/[^/]/i.test(text) && !/[\s\\\p{Cc}]/u.test(text);
  return isWellFormed && text.length <= maxLength ? URL.parse(text) : null;
}

const hasCredentials = (text: string, url: URL): boolean =>
  url.username !== "" || url.password !== "" || (text.split(/[/?#]/)[2] ?? "").includes("@");

function isPublicHost(host: string): boolean {
  if (isIpAddress(host)) return isPublicIpAddress(host);
  const labels = host.split(".");
  return labels.length > 1 && labels.every((part) => label.test(part)) && !isPrivateName(host);
}

const isPrivateName = (host: string): boolean =>
  privateSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
