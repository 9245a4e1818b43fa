/**
 * Whether a text is an absolute http(s) URL, or a path of this service. A browser drops control
 * characters and reads a backslash as a slash, so `/\host/x` would lead to another host.
 */
export function isWebUrlOrPath(text: string): boolean {
  if (/[\\\p{Cc}]/u.test(text)) return false;
  if (/^https?:\/\//i.test(text)) return URL.canParse(text);
  const base = "https://own.invalid";
  return text.startsWith("/") && URL.parse(text, base)?.origin === base;
}

/**
 * Whether a text is an https address that a shop can show as a link: a host name with a dot, no user
 * name that poses as the host, and nothing that a browser would drop or read differently.
 */
export function isSafeLink(text: string): boolean {
  if (/[\s\\\p{Cc}]/u.test(text) || !/^https:\/\/[^/]/i.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === "" && url.password === "" && isPublicName(url.hostname);
}

/** Whether a host is a name with letters in its last part, so neither an IP address nor a local name. */
const isPublicName = (host: string): boolean => /\.[a-z][a-z0-9-]*$/.test(host);
