import { parseDictionary } from "structured-headers";

const sha256 = (bytes: Uint8Array): Promise<ArrayBuffer> => crypto.subtle.digest("SHA-256", bytes);

/** The SHA-256 digest of the bytes in base 64. */
export const base64Digest = async (bytes: Uint8Array): Promise<string> =>
  base64(await sha256(bytes));

/** The Content-Digest of a body (RFC 9530). */
export const contentDigest = async (body: Uint8Array): Promise<string> =>
  `sha-256=:${await base64Digest(body)}:`;

/** Whether the Content-Digest has the body's SHA-256 digest. */
export async function matchesDigest(header: string | null, body: Uint8Array): Promise<boolean> {
  const expected = await sha256(body);
  try {
    const claimed = parseDictionary(header ?? "").get("sha-256")?.[0];
    return (
      claimed instanceof ArrayBuffer &&
      claimed.byteLength === expected.byteLength &&
      crypto.subtle.timingSafeEqual(claimed, expected)
    );
  } catch {
    return false;
  }
}

export const base64 = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)));

export const base64Url = (bytes: ArrayBuffer): string =>
  base64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
