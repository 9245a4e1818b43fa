import { day, hour, second } from "../kernel/index.ts";

/** The limits of one-time codes (docs/contract/conventions.md#otp-limits). */
export const codeTtlMs = 300 * second;
export const resendAfterMs = 30 * second;
export const maxWrongTries = 5;
/** How many of a code's wrong tries networks count that neither requested it nor are known. */
export const maxWrongTriesElsewhere = 2;
/** The codes of a contact, from all networks together. */
export const codesPerContact = 5;
/** The codes that known networks get when others have used up those of the contact. */
export const reservedCodesPerContact = 3;
/** The codes of a contact that one network gets, reserved ones included. */
export const codesPerNetwork = 5;
export const maxKnownNetworks = 3;
/** How long a network is known to a contact that logged in from it. */
export const knownNetworkTtlMs = 90 * day;
export const codesPerAddress = 20;
/** The period in which codes are counted for the limits per contact and per IP address. */
export const issueLimitWindowMs = hour;

/** The code of every contact in test mode (docs/contract/conventions.md#test-mode). */
const testModeCode = "123456";

const codes = 1_000_000;
/**
 * The largest multiple of `codes` below 2^32. Random numbers from here on are drawn again, because
 * they would make some codes more likely than others.
 */
const unbiasedRange = Math.floor(2 ** 32 / codes) * codes;

/** Generates a random code of six digits; in test mode always the same code. */
export function generateCode(
  mode: "live" | "test",
  random: (bytes: Uint8Array<ArrayBuffer>) => unknown,
): string {
  if (mode === "test") return testModeCode;
  const drawn = new Uint32Array(1);
  do random(new Uint8Array(drawn.buffer));
  while (Number(drawn[0]) >= unbiasedRange);
  return String(Number(drawn[0]) % codes).padStart(6, "0");
}
