import { createHash } from "node:crypto";
import fc from "fast-check";

/** Which throw of all dice this run is: what is seen in one is seen in the next. */
const { DICE_SEED: seed = "20261122" }: Record<string, string | undefined> = import.meta.env;

/** How often each name was given in this workerd, which serves many files and some of them twice. */
const given = new Map<string, number>();

let draw = streamOf("");

/**
 * Begins the bytes that the name decides: a test draws the same ones whichever others run, and no
 * two tests draw the same.
 */
export function throwDice(name: string): void {
  const times = (given.get(name) ?? 0) + 1;
  given.set(name, times);
  draw = streamOf(`${seed} ${times} ${name}`);
}

/**
 * Lets everything in this workerd, Durable Objects among it, draw from those bytes, and properties
 * try the same values each time.
 */
export function loadDice(): void {
  Object.assign(crypto, { getRandomValues, randomUUID });
  fc.configureGlobal({ seed: Number(seed) });
}

/** SHA-256 in counter mode. */
function streamOf(name: string): (into: Uint8Array) => void {
  let blocks = 0;
  let left = new Uint8Array();
  return (into) => {
    for (let filled = 0; filled < into.length; ) {
      if (left.length === 0) left = createHash("sha256").update(`${blocks++} ${name}`).digest();
      const taken = left.subarray(0, into.length - filled);
      into.set(taken, filled);
      filled += taken.length;
      left = left.subarray(taken.length);
    }
  };
}

/** Bytes alone: a caller of the house or of its libraries fills nothing else. */
function getRandomValues<T extends ArrayBufferView | null>(array: T): T {
  if (!(array instanceof Uint8Array)) throw new TypeError("The dice fill arrays of bytes.");
  Crypto.prototype.getRandomValues.call(crypto, array); // refuses what the platform does
  draw(array);
  return array;
}

/** Version 4. */
function randomUUID(): string {
  const bytes = getRandomValues(new Uint8Array(16));
  const view = new DataView(bytes.buffer);
  view.setUint8(6, (view.getUint8(6) & 0x0f) | 0x40);
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
