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
