import { formatMoney, iso } from "../../../shared/kernel/index.ts";
import { type OrderDetails, soldUnits } from "../../../shared/orders/index.ts";
import type { Dispute, Refund } from "../../../shared/payments/index.ts";

type AdjustmentStatus = "pending" | "completed" | "failed";
type OrderCurrency = Pick<OrderDetails["order"], "currency">;

/** What happened to the order apart from its delivery: refunds, a dispute and its cancellation. */
export const viewAdjustments = (details: OrderDetails) =>
  [
    ...viewCancellation(details),
    ...details.refunds.map((refund) => viewRefund(refund, details)),
    ...(details.payment.dispute === null
      ? []
      : [viewDispute(details.payment.dispute, details.order)]),
  ].toSorted((first, second) => first.occurred_at.localeCompare(second.occurred_at));

function viewCancellation(details: OrderDetails) {
  const { id, status, cancelledAt, cancellationReason, updatedAt, lines } = details.order;
  if (status !== "cancelled") return [];
  const sold = soldUnits(details);
  return [
    {
      id: `${id}-cancellation`,
      type: "cancellation",
      occurred_at: iso(cancelledAt ?? updatedAt),
      status: "completed" as const,
      line_items: lines.flatMap(({ id: lineId, quantity }) => {
        const cancelled = quantity - (sold.get(lineId) ?? 0);
        return cancelled > 0 ? [{ id: lineId, quantity: -cancelled }] : [];
      }),
      ...(cancellationReason !== null && { description: cancellationReason }),
    },
  ];
}

const refundStates: Readonly<Record<Refund["status"], AdjustmentStatus>> = {
  pending: "pending",
  refund_due: "pending",
  refunded: "completed",
  failed: "failed",
};

const viewRefund = (refund: Refund, { order }: OrderDetails) => ({
  id: refund.id,
  type: "refund",
  occurred_at: iso(refund.settledAt ?? refund.createdAt),
  status: refundStates[refund.status],
  ...(refund.isRestocked && {
    line_items: order.lines.map(({ id, quantity }) => ({ id, quantity: -quantity })),
  }),
  ...viewMoney("Refund", refund, order),
});

const disputeStates: Readonly<Record<Dispute["status"], AdjustmentStatus>> = {
  needs_response: "pending",
  under_review: "pending",
  warning_needs_response: "pending",
  warning_under_review: "pending",
  lost: "completed",
  won: "failed",
  prevented: "failed",
  warning_closed: "failed",
};

const viewDispute = (dispute: Dispute, order: OrderCurrency) => ({
  id: dispute.id,
  type: "dispute",
  occurred_at: iso(dispute.openedAt),
  status: disputeStates[dispute.status],
  ...viewMoney("Dispute", dispute, order),
});

/** An amount in another currency than the order's is only described. */
const viewMoney = (
  name: string,
  { amountMinor, currency }: Readonly<{ amountMinor: number; currency: string }>,
  order: OrderCurrency,
) => ({
  description: `${name} of ${formatMoney(amountMinor, currency)} ${currency}`,
  ...(currency === order.currency && { totals: [{ type: "total", amount: -amountMinor }] }),
});
