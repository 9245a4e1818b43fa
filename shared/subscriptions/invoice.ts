export const invoiceStatuses = ["open", "paid", "void"] as const;
/** open: its order waits for its payment; void: that order was given up. */
export type InvoiceStatus = (typeof invoiceStatuses)[number];

/** One period of a subscription, and the one order that pays for it. Money in minor units. */
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
