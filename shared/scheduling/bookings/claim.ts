/** A hold of a cart line, or a booking of an order's. */
export const claimKinds = ["hold", "booking"] as const;
export type ClaimKind = (typeof claimKinds)[number];

/** No claim occupies more, its buffer included (milliseconds); the table's CHECK says so too. */
export const longestClaim = 8 * 24 * 60 * 60 * 1000;
