import { createHash } from "node:crypto";
import fc from "fast-check";

/** The seed of the whole run: two runs with the same seed draw the same values. */
const { TEST_SEED: runSeed = "20261122" }: Record<string, string | undefined> = import.meta.env;

/** How often each name was seeded in this workerd, which runs many files and some of them twice. */
const timesSeeded = new Map<string, number>();

let fillNext = createByteStream("");

/**
 * Starts the byte stream of a name, such as a test's. A test therefore draws the same bytes whichever
 * other tests run, and no two tests draw the same bytes.
 */
export function seedRandom(name: string): void {
  const times = (timesSeeded.get(name) ?? 0) + 1;
  timesSeeded.set(name, times);
  fillNext = createByteStream(`${runSeed} ${times} ${name}`);
}

/** Makes crypto, in Durable Objects too, draw from the seeded stream, and seeds fast-check. */
export function installSeededRandom(): void {
  Object.assign(crypto, { getRandomValues, randomUUID });
  fc.configureGlobal({ seed: Number(runSeed) });
}

/** SHA-256 in counter mode. */
function createByteStream(name: string): (target: Uint8Array) => void {
  let blocks = 0;
  let unused = new Uint8Array();
  return (target) => {
    for (let filled = 0; filled < target.length; ) {
      if (unused.length === 0) unused = createHash("sha256").update(`${blocks++} ${name}`).digest();
      const taken = unused.subarray(0, target.length - filled);
      target.set(taken, filled);
      filled += taken.length;
      unused = unused.subarray(taken.length);
    }
  };
}

/** Fills byte arrays only: neither this project nor its libraries fill others. */
function getRandomValues<T extends ArrayBufferView | null>(array: T): T {
  if (!(array instanceof Uint8Array)) throw new TypeError("Only a Uint8Array can be filled.");
  Crypto.prototype.getRandomValues.call(crypto, array); // throws for what the platform refuses
  fillNext(array);
  return array;
}

/** A UUID of version 4. */
function randomUUID(): string {
  const bytes = getRandomValues(new Uint8Array(16));
  const view = new DataView(bytes.buffer);
  view.setUint8(6, (view.getUint8(6) & 0x0f) | 0x40);
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
