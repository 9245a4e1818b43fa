import { digestsEqual } from "../kernel/index.ts";

const linkPrefix = "link:";

/** The proof of a caller whose link to the order was verified. No bill token has such a hash. */
export const linkProof = (orderId: string): string => linkPrefix + orderId;

/** The order of a verified link; null for what a bill token proves. */
export const linkedOrderId = (proof: string): string | null =>
  proof.startsWith(linkPrefix) ? proof.slice(linkPrefix.length) : null;

/** Whether the proof opens the order: the hash of its bill token, or a verified link to it. */
export const opensOrder = (
  proof: string,
  { orderId, billTokenHash }: Readonly<{ orderId: string; billTokenHash: string }>,
): boolean => proof === linkProof(orderId) || digestsEqual(billTokenHash, proof);
