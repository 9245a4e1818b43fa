/**
 * Converts our reference (`ref_…`) to Paystack's form (`ref-…`), because Paystack allows only
 * letters, digits, `-`, `.` and `=`. The rest of a reference is hexadecimal.
 */
export const toPaystackReference = (reference: string): string =>
  reference.replace(/^ref_/, "ref-");

/** Converts a reference from Paystack's form (`ref-…`) back to ours (`ref_…`). */
export const fromPaystackReference = (reference: string): string =>
  reference.replace(/^ref-/, "ref_");
