import type { Keyring, WrappingKey } from "../../shared/businesses/index.ts";

type ParsedKeys =
  | Readonly<{ type: "keys"; keyring: Keyring }>
  | Readonly<{ type: "invalid"; problem: string }>;

const keyBytes = 32;
const keyPattern = /^([a-z0-9][a-z0-9_-]{0,31}):([A-Za-z0-9+/]+={0,2})$/;
const format = "must be <id>:<32 bytes in base 64>, several separated by commas, the newest first.";

/** Parses CREDENTIALS_KEY (docs/payments.md#credentials-key). The problem names no part of it. */
export function parseCredentialsKeys(list: string): ParsedKeys {
  const keys = list.split(",").map((part) => parseKey(part.trim()));
  const keyring = keys.filter((key) => key !== null);
  if (keyring.length < keys.length) return { type: "invalid", problem: format };
  const ids = new Set(keyring.map(({ id }) => id));
  if (ids.size < keyring.length) {
    return { type: "invalid", problem: "must give each key an id of its own." };
  }
  return { type: "keys", keyring };
}

function parseKey(text: string): WrappingKey | null {
  const [, id, encoded] = keyPattern.exec(text) ?? [];
  if (id === undefined || encoded === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    return bytes.byteLength === keyBytes ? { id, bytes } : null;
  } catch {
    return null; // it is not base 64
  }
}
