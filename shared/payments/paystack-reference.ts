/**
 * Converts our reference to Paystack's charset (letters, digits, `-`, `.`, `=`): `ref_…` becomes
 * `ref-…`. The part after the prefix is hexadecimal.
 */
export const toPaystackReference = (reference: string): string =>
  reference.replace(/^ref_/, "ref-");

/** Converts Paystack's spelling of a reference back to ours. */
export const fromPaystackReference = (reference: string): string =>
  reference.replace(/^ref-/, "ref_");
