import { hour, second } from "../kernel/index.ts";

/** completions.md 3, One-time codes. */
export const codeLifetimeMs = 300 * second;
export const resendAfterMs = 30 * second;
export const maxWrongTries = 5;
export const codesPerContact = 5;
export const codesPerAddress = 20;
/** The span over which codes of a contact and of an address are counted. */
export const countedMs = hour;

/** The only code of test mode (completions.md 2). */
const codeOfTestMode = "123456";

const codes = 1_000_000;
/** Above it the last, incomplete stretch of a 32-bit number would make some codes likelier. */
const evenly = Math.floor(2 ** 32 / codes) * codes;

/** Six digits, each code as likely as any other; in test mode always the same. */
export function newCode(
  mode: "live" | "test",
  random: (bytes: Uint8Array<ArrayBuffer>) => unknown,
): string {
  if (mode === "test") return codeOfTestMode;
  const drawn = new Uint32Array(1);
  do random(new Uint8Array(drawn.buffer));
  while (Number(drawn[0]) >= evenly);
  return String(Number(drawn[0]) % codes).padStart(6, "0");
}
