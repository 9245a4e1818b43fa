import { z } from "@hono/zod-openapi";
import { formatMoney, iso, isoOrNull } from "../../../../shared/kernel/index.ts";
import { disputeRecord, type OrderDetails, wireStatus } from "../../../../shared/orders/index.ts";
import {
  attemptStatus,
  disputeStatuses,
  type Mismatch,
  type PaymentAttempt,
  paymentStatuses,
  publicProviderName,
} from "../../../../shared/payments/index.ts";
import { jsonValue, type PublicAddress } from "../../../wire/fields.ts";

import { OrderView, viewOrder } from "../../../wire/views/order.ts";
import { RefundView, viewRefund } from "./refund.ts";

const PaymentView = z.object({
  id: z.string(),
  reference: z.string(),
  provider: z.string(),
  method: z.string(),
  status: z.string(),
  payment_status: z.string(),
  provider_status: z.enum(paymentStatuses),
  /** The charged amount in the payment's currency. The order may have another currency. */
  amount: z.string(),
  currency: z.string(),
  settled_at: z.string().nullable(),
  /** How the money was handed over, for a cash order that was marked as paid. */
  receipt: z.object({ method: z.string(), reference: z.string().nullable() }).nullable(),
  /**
   * Set when the captured amount differs from the requested one. The merchant must check the order.
   */
  mismatch: z
    .object({ reference: z.string(), amount: z.string(), currency: z.string() })
    .nullable(),
  /** What the payer's bank contests; null as long as it contests nothing. */
  dispute: z
    .object({
      status: z.enum(disputeStatuses),
      reason: z.string(),
      amount: z.string(),
      currency: z.string(),
      due_by: z.string().nullable(),
      updated_at: z.string(),
    })
    .nullable(),
  refunds: z.array(RefundView),
});

/** One charge of the order's payment; the latest or the paid one is the order's `payment`. */
const PaymentAttemptView = z.object({
  payment_id: z.string(),
  payment_reference: z.string(),
  payment_method: z.string(),
  payment_status: z.string(),
  provider_status: z.enum(paymentStatuses),
  amount: z.string(),
  currency: z.string(),
  created_at: z.string(),
});

export const MerchantOrderView = OrderView.extend({
  customer_email: z.string().nullable(),
  customer_phone: z.string().nullable(),
  customer_notes: z.string().nullable(),
  metadata: z.record(z.string(), jsonValue),
  tags: z.array(z.string()),
  agent: z.object({ profile_url: z.string() }).nullable(),
  payment: PaymentView,
  payments: z.array(PaymentAttemptView),
}).openapi("MerchantOrder");
export type MerchantOrderView = z.infer<typeof MerchantOrderView>;

/** The order with the fields that only the business sees. */
export function viewMerchantOrder(
  details: OrderDetails,
  address: PublicAddress,
): MerchantOrderView {
  const { order, payment, refunds } = details;
  return {
    ...viewOrder(details, address),
    customer_email: order.customerEmail,
    customer_phone: order.customerPhone,
    customer_notes: order.customerNotes,
    metadata: order.metadata,
    tags: [...order.tags],
    agent: details.agent && { profile_url: details.agent.profileUrl },
    payment: {
      id: payment.id,
      reference: payment.reference,
      provider: publicProviderName(payment.provider),
      method: payment.method,
      status: wireStatus(payment.status),
      payment_status: wireStatus(payment.status),
      provider_status: payment.status,
      amount: formatMoney(payment.amountMinor, payment.currency),
      currency: payment.currency,
      settled_at: isoOrNull(payment.settledAt),
      receipt: payment.receipt,
      mismatch: payment.mismatch && viewMismatch(payment.mismatch),
      dispute: payment.dispute && disputeRecord(payment.dispute),
      refunds: refunds.map(viewRefund),
    },
    payments: details.attempts.map((attempt) => viewAttempt(details, attempt)),
  };
}

function viewAttempt(
  details: OrderDetails,
  attempt: PaymentAttempt,
): z.infer<typeof PaymentAttemptView> {
  const status = attemptStatus(details, attempt);
  return {
    payment_id: details.payment.id,
    payment_reference: attempt.reference,
    payment_method: attempt.method,
    payment_status: wireStatus(status),
    provider_status: status,
    amount: formatMoney(attempt.amountMinor, attempt.currency),
    currency: attempt.currency,
    created_at: iso(attempt.createdAt),
  };
}

const viewMismatch = ({ reference, amountMinor, currency }: Mismatch) => ({
  reference,
  amount: formatMoney(amountMinor, currency),
  currency,
});
