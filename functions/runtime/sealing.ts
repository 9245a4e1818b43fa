import { hmacBytes } from "../../shared/kernel/index.ts";
import { runtime } from "./runtime.ts";

const ivBytes = 12;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Encrypts a text with AES-GCM; returns the IV and the ciphertext in base 64. */
export async function seal(text: string, secret: string): Promise<string> {
  const iv = new Uint8Array(ivBytes);
  runtime.randomBytes(iv);
  const sealed = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv },
    await importSealingKey(secret),
    encoder.encode(text),
  );
  return base64([...iv, ...new Uint8Array(sealed)]);
}

/** @throws the WebCrypto error when the text was encrypted with another secret or altered. */
export async function unseal(sealed: string, secret: string): Promise<string> {
  const bytes = Uint8Array.from(atob(sealed), (character) => character.charCodeAt(0));
  const text = await crypto.subtle.decrypt(
    { name: "AES-GCM", iv: bytes.subarray(0, ivBytes) },
    await importSealingKey(secret),
    bytes.subarray(ivBytes),
  );
  return decoder.decode(text);
}

const base64 = (bytes: readonly number[]): string =>
  btoa(bytes.map((byte) => String.fromCharCode(byte)).join(""));

const importSealingKey = async (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", await hmacBytes(secret, "sealed answers"), "AES-GCM", false, [
    "encrypt",
    "decrypt",
  ]);
