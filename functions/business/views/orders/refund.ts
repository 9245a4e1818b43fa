import { z } from "@hono/zod-openapi";
import { formatMoney, iso, isoOrNull } from "../../../../shared/kernel/index.ts";
import { type Refund, refundStatuses } from "../../../../shared/payments/index.ts";

export const RefundView = z
  .object({
    id: z.string(),
    order_id: z.string(),
    payment_id: z.string(),
    /** The extra charge that is refunded when the shopper paid twice; null for other refunds. */
    payment_reference: z.string().nullable(),
    amount: z.string(),
    tax_amount: z.string(),
    currency: z.string(),
    status: z.enum(refundStatuses),
    reason: z.string().nullable(),
    restocked: z.boolean(),
    failure_reason: z.string().nullable(),
    created_at: z.string(),
    settled_at: z.string().nullable(),
  })
  .openapi("Refund");
export type RefundView = z.infer<typeof RefundView>;

export const viewRefund = (refund: Refund): RefundView => ({
  id: refund.id,
  order_id: refund.orderId,
  payment_id: refund.paymentId,
  payment_reference: refund.reference,
  amount: formatMoney(refund.amountMinor, refund.currency),
  tax_amount: formatMoney(refund.taxMinor, refund.currency),
  currency: refund.currency,
  status: refund.status,
  reason: refund.reason,
  restocked: refund.isRestocked,
  failure_reason: refund.failureReason,
  created_at: iso(refund.createdAt),
  settled_at: isoOrNull(refund.settledAt),
});
