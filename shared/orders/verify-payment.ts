import { isOpen } from "../payments/index.ts";
import type { OrderContext } from "./context.ts";
import { recordCharge } from "./record-payment.ts";
import type { PaidOrder } from "./repo.ts";

/**
 * Asks the provider how the order's payment stands, and stores what it says
 * (interface.md, POST /orders/{order_id}/verify-payment). Without an answer nothing changes.
 */
export async function verifyPayment(ctx: OrderContext, paid: PaidOrder): Promise<PaidOrder> {
  const verified = await verifiedPayment(ctx, paid);
  return verified === "no_answer" ? paid : verified;
}

/** As `verifyPayment`, for whom silence is not the same as no payment. */
export async function verifiedPayment(
  ctx: OrderContext,
  paid: PaidOrder,
): Promise<PaidOrder | "no_answer"> {
  const provider = ctx.providerFor(paid.payment.method);
  if (!provider || !isOpen(paid.payment)) return paid;
  const result = await provider.verify(paid.payment.reference);
  if (result.type === "no_answer") return "no_answer";
  if (result.type === "unknown" || isOldNews(result.type, paid)) return paid;
  return recordCharge(ctx, paid, { result, reference: paid.payment.reference });
}

// What is known already makes no new version: a payment that waits goes on waiting, and one that
// failed (three wrong codes, say) is opened again by nothing but the money itself.
const isOldNews = (type: string, { payment }: PaidOrder): boolean =>
  payment.nextAction.type === type || (payment.status === "failed" && type !== "captured");
