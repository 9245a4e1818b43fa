/** An address with a name, in the form `"Corner Books" <shop@example.com>`. */
type NamedAddress = Readonly<{ name: string | null; email: string }>;

/** The name and the address of EMAIL_FROM, which may be a plain address. */
export function parseSender(from: string): NamedAddress {
  const [, name = "", email] = /^\s*"?([^"<]*?)"?\s*<([^<>\s]+)>\s*$/.exec(from) ?? [];
  return email === undefined
    ? { name: null, email: from.trim() }
    : { name: name === "" ? null : name, email };
}

/** The sender with another name. The name cannot end its quotes or its line. */
export function senderAddress(from: string, name: string | null): string {
  if (name === null) return from;
  const { email } = parseSender(from);
  return `"${displayName(name)}" <${email}>`;
}

/** A name without the characters that mean something in a header. */
export const displayName = (name: string): string =>
  name
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069"\\<>]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 100)
    .toWellFormed();

/** The UTF-8 bytes of a text in base 64. */
export const encodeBase64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
