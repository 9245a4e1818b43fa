import { TypeID } from "typeid-js";

/** The kinds of record and their prefixes (interface.md, Resources; completions.md 1). */
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
  "upl",
  "up",
  "addr",
  "acc",
  "deal",
  "grp",
  "opt",
  "img",
  "attr",
  "rule",
  "stf",
  "res",
  "dlv",
  "rfd",
  "inv",
  "key",
  "ses",
  "org",
  "imp",
  "aud",
  "mov",
  "bmv",
  "mm",
] as const;
export type IdPrefix = (typeof idPrefixes)[number];

/** Makes identifiers; injected, so that tests choose the clock and the randomness. */
export type NewId = (prefix: IdPrefix) => string;

/**
 * TypeIDs over UUIDv7: sortable by the clock that is passed in (milliseconds). Ids made in one
 * millisecond by one maker keep their order, since a counter fills the bits after the time.
 */
export function idMaker(
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

/** A secret of 160 random bits in base 32, for keys and tokens: never for record ids. */
export function newToken(random: (bytes: Uint8Array<ArrayBuffer>) => unknown): string {
  const bytes = new Uint8Array(20);
  random(bytes);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
