import { sha256 } from "../kernel/index.ts";

const digits = 40;

/**
 * The reference under which a period is charged at one of its tries: always the same for the same try,
 * so that a run which takes over from a dead one knows what that one may have asked for.
 */
export async function referenceOf(invoiceId: string, attempt: number): Promise<string> {
  const digest = await sha256(`${invoiceId} ${attempt}`);
  return `ref_${digest.slice(0, digits)}`;
}
