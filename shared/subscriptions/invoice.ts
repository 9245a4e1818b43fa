export const invoiceStatuses = ["open", "paid", "void"] as const;
/**
 * `open`: the period's order is not paid yet. `void`: the order was cancelled without a payment.
 */
export type InvoiceStatus = (typeof invoiceStatuses)[number];

/**
 * A billing period of a subscription, and the order that pays for the period. Amounts are in minor
 * units.
 */
export type Invoice = Readonly<{
  id: string;
  subscriptionId: string;
  cycle: number;
  orderId: string;
  status: InvoiceStatus;
  amountMinor: number;
  currency: string;
  periodStart: number;
  periodEnd: number;
  createdAt: number;
  paidAt: number | null;
}>;
