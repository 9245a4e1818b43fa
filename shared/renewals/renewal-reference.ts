import { sha256 } from "../kernel/index.ts";

const referenceDigits = 40;

/**
 * The payment reference of a period's attempt. It is deterministic, so that a run after a crash
 * knows which charge may exist.
 */
export async function deriveRenewalReference(invoiceId: string, attempt: number): Promise<string> {
  const digest = await sha256(`${invoiceId} ${attempt}`);
  return `ref_${digest.slice(0, referenceDigits)}`;
}
