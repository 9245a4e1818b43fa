import { isAddress, isLoopback, isPublicAddress } from "./address-range.ts";

const maxLength = 2_048;

/** Names that mean something only inside some network, and never on the public internet. */
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
 * Why a webhook may not go to this address, or null when it may (completions.md 14): https on port
 * 443 or from 1024 on, to a public name or address, without credentials. `allowLocal` also allows
 * http and https on loopback, on any port. All spellings of an address are judged as `new URL`
 * writes them, which is where `fetch` goes; what a name resolves to cannot be judged here.
 */
export function checkTargetUrl(
  text: string,
  { allowLocal }: { allowLocal: boolean },
): string | null {
  const url = parsed(text);
  if (!url) return "must be an absolute https URL of at most 2048 characters.";
  if (hasCredentials(text, url)) return "must not hold credentials.";
  const host = url.hostname.replace(/\.$/, "");
  if (allowLocal && (host === "localhost" || isLoopback(host))) return null;
  if (url.protocol !== "https:") return "must be https.";
  if (!isPublicHost(host)) return "must name a public host.";
  const port = url.port === "" ? 443 : Number(url.port);
  return port === 443 || port >= 1024 ? null : "must use port 443, or one from 1024 on.";
}

/** `new URL` forgives blanks, backslashes and missing slashes; a merchant who sends them meant something else. */
function parsed(text: string): URL | null {
  const isPlain = /^https?:\/\/[^/]/i.test(text) && !/[\s\\\p{Cc}]/u.test(text);
  return isPlain && text.length <= maxLength ? URL.parse(text) : null;
}

const hasCredentials = (text: string, url: URL): boolean =>
  url.username !== "" || url.password !== "" || (text.split(/[/?#]/)[2] ?? "").includes("@");

function isPublicHost(host: string): boolean {
  if (isAddress(host)) return isPublicAddress(host);
  const labels = host.split(".");
  return labels.length > 1 && labels.every((part) => label.test(part)) && !isPrivateName(host);
}

const isPrivateName = (host: string): boolean =>
  privateSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
