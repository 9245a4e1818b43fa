import { TypeID } from "typeid-js";
import { hmacBytes } from "./hash.ts";

/** The id prefix of each kind of record (docs/contract/conventions.md#identifiers). */
export const idPrefixes = [
  "cus",
  "ord",
  "cart",
  "ci",
  "prod",
  "var",
  "cat",
  "col",
  "bun",
  "comp",
  "sub",
  "bp",
  "svc",
  "bk",
  "li",
  "loc",
  "biz",
  "pt",
  "fxq",
  "pq",
  "whk",
  "evt",
  "thr",
  "msg",
  "note",
  "upl",
  "up",
  "addr",
  "acc",
  "deal",
  "zone",
  "dlm",
  "grp",
  "opt",
  "img",
  "attr",
  "rule",
  "stf",
  "res",
  "dlt",
  "dlv",
  "dom",
  "rfd",
  "shp",
  "inv",
  "key",
  "ses",
  "org",
  "imp",
  "exp",
  "aud",
  "mov",
  "bmv",
  "rdf",
  "mm",
  "con",
  "pend",
  "txr",
  "cgr",
  "usr",
  "mem",
  "psk",
  "plg",
] as const;
export type IdPrefix = (typeof idPrefixes)[number];

/**
 * Generates ids. It is passed to the code that creates records, so that tests control clock and
 * randomness.
 */
export type NewId = (prefix: IdPrefix) => string;

/**
 * Creates a generator of TypeIDs over UUIDv7. The ids sort by the given clock (milliseconds). A
 * counter keeps the ids of one generator in order within a millisecond.
 */
export function createIdGenerator(
  now: () => number,
  random: (bytes: Uint8Array<ArrayBuffer>) => unknown,
): NewId {
  let last = -1;
  let sequence = 0;
  return (prefix) => {
    const bytes = new Uint8Array(16);
    random(bytes);
    const ms = now();
    sequence = ms === last ? sequence + 1 : 0;
    last = ms;
    const view = new DataView(bytes.buffer);
    view.setUint32(0, Math.floor(ms / 0x10000));
    view.setUint16(4, ms % 0x10000);
    view.setUint16(6, 0x7000 | (sequence & 0x0fff));
    view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80);
    return TypeID.fromUUIDBytes(prefix, bytes).toString();
  };
}

/** Computes the same id for the same text. Without the secret nobody can compute it. */
export const deriveId = async (prefix: IdPrefix, secret: string, text: string): Promise<string> =>
  TypeID.fromUUIDBytes(prefix, new Uint8Array(await hmacBytes(secret, text), 0, 16)).toString();

/**
 * Generates a secret of 160 random bits in hex, for keys and tokens. For ids of records, use
 * `NewId`.
 */
export function generateToken(random: (bytes: Uint8Array<ArrayBuffer>) => unknown): string {
  const bytes = new Uint8Array(20);
  random(bytes);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
