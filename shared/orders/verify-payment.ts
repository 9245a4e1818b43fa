import { isOpen } from "../payments/index.ts";
import type { OrderContext } from "./context.ts";
import { recordCharge } from "./record-payment.ts";
import type { PaidOrder } from "./repo.ts";

/**
 * Asks the provider how the order's payment stands, and stores what it says
 * (interface.md, POST /orders/{order_id}/verify-payment). Without an answer nothing changes.
 */
export async function verifyPayment(ctx: OrderContext, paid: PaidOrder): Promise<PaidOrder> {
  const provider = ctx.providerFor(paid.payment.method);
  if (!provider || !isOpen(paid.payment)) return paid;
  const result = await provider.verify(paid.payment.reference);
  if (result.type === "unknown" || isOldNews(result.type, paid)) return paid;
  return recordCharge(ctx, paid, { result, reference: paid.payment.reference });
}

// What is known already makes no new version: a payment that waits goes on waiting.
const isOldNews = (type: string, { payment }: PaidOrder): boolean =>
  payment.nextAction.type === type || (type === "declined" && payment.status === "failed");
