const encoder = new TextEncoder();

/** The bytes of a text in UTF-8. Those of a short text are estimated, because no limit is near. */
export const utf8Bytes = (text: string): number =>
  text.length < 100 ? text.length : encoder.encode(text).byteLength;

/** About the bytes of a value as an object stores it: V8 writes a text in one or two bytes a character. */
export function serializedBytes(value: unknown): number {
  if (typeof value === "string") return 5 + value.length * (/[^\p{ASCII}]/u.test(value) ? 2 : 1);
  if (typeof value !== "object" || value === null) return 9;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  const entries = Array.isArray(value) ? value : Object.entries(value).flat();
  return entries.reduce((sum: number, entry) => sum + serializedBytes(entry), 9);
}
