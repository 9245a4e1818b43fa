import { sha256 } from "../kernel/index.ts";

const referenceDigits = 40;

/**
 * The payment reference of one attempt to pay a period. It is derived, so that a run after a crash
 * knows which charge to look up.
 */
export async function deriveRenewalReference(invoiceId: string, attempt: number): Promise<string> {
  const digest = await sha256(`${invoiceId} ${attempt}`);
  return `ref_${digest.slice(0, referenceDigits)}`;
}
