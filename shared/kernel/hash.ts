const encoder = new TextEncoder();

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** SHA-256 in hex. The database stores only this hash of tokens and keys. */
export async function sha256(text: string): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
}

/** HMAC-SHA-256 in hex. Text and secret are encoded as UTF-8. */
export async function hmacSha256(secret: string, text: string): Promise<string> {
  return hex(await hmacBytes(secret, text));
}

/** HMAC-SHA-256 as bytes. Text and secret are encoded as UTF-8. */
export async function hmacBytes(secret: string, text: string): Promise<ArrayBuffer> {
  return (await createHmac(secret))(text);
}

/** As `hmacBytes`, for many texts with one secret. */
export async function createHmac(secret: string): Promise<(text: string) => Promise<ArrayBuffer>> {
  const key = await crypto.subtle.importKey(
    "raw",
    encoder.encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  return (text) => crypto.subtle.sign("HMAC", key, encoder.encode(text));
}

/** Compares two digests in constant time. */
export function digestsEqual(a: string, b: string): boolean {
  const [left, right] = [encoder.encode(a), encoder.encode(b)];
  return left.byteLength === right.byteLength && crypto.subtle.timingSafeEqual(left, right);
}

/**
 * A 32-bit hash of a text (FNV-1a of its UTF-16 units), which spreads similar texts evenly. Use it
 * where nothing can be awaited, and never for a secret.
 */
export function shortHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
