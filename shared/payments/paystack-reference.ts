/**
 * Our reference as Paystack takes it, which allows letters, digits, `-`, `.` and `=` alone: the
 * underscore of `ref_…` becomes a hyphen, and back. What follows it is hexadecimal.
 */
export const paystackReference = (reference: string): string => reference.replace(/^ref_/, "ref-");

/** The reference of ours that Paystack knows by another spelling. */
export const ourReference = (paystacks: string): string => paystacks.replace(/^ref-/, "ref_");
