import { collectStrings, createHmac } from "../../../kernel/index.ts";
import { idsIn } from "./column-schemas.ts";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
/** The time at the beginning of an id, by which lists are sorted: 48 bits in base 32. */
const timeLength = 10;
const randomLength = 16;

/** Replaces the ids in a value; see `createNewIds`. */
export type ReplaceIds = <T>(value: T) => T;

/**
 * Gives every id of a file a new one, which is the same for the same id and import. Nobody can
 * choose a new id, so no row of a file becomes a part of another business's records.
 *
 * @param secret the import's id, which was drawn before the file was read.
 */
export async function createNewIds(secret: string) {
  const sign = await createHmac(secret);
  const known = new Map<string, string>();

  async function add(text: string): Promise<void> {
    const bytes = new Uint8Array(await sign(text), 0, randomLength);
    const prefix = text.slice(0, text.indexOf("_") + 1);
    const time = text.slice(prefix.length, prefix.length + timeLength);
    const random = Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join("");
    known.set(text, `${prefix}${time}${random}`);
  }

  const replace: ReplaceIds = <T>(value: T): T => replaceIn(value) as T; // safe: ids become ids

  const replaceInText = (text: string): string =>
    text
      .split(":")
      .map((part) => known.get(part) ?? part)
      .join(":");

  function replaceIn(value: unknown): unknown {
    if (typeof value === "string") return replaceInText(value);
    if (Array.isArray(value)) return value.map(replaceIn);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [replaceInText(key), replaceIn(one)]),
    );
  }

  return {
    /** Prepares the ids in these values; returns the function that replaces them. */
    async prepare(values: unknown): Promise<ReplaceIds> {
      known.clear();
      const ids = new Set(collectStrings(values).flatMap(idsIn));
      await Promise.all([...ids].map(add));
      return replace;
    },

    /** A word for a text that names something outside, such as a provider's reference. */
    async wordFor(text: string): Promise<string> {
      const bytes = new Uint8Array(await sign(`word ${text}`));
      return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    },
  };
}

export type NewIds = Awaited<ReturnType<typeof createNewIds>>;
