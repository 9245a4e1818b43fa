import type { Refund } from "../payments/index.ts";
import type { Order } from "./order.ts";

type TaxedTotal = Pick<Order, "totalPriceMinor" | "taxTotalMinor">;

/** A refund as it is stored; the tax is null in refunds from before it was stored. */
type StoredRefund = Omit<Refund, "taxMinor"> & Readonly<{ taxMinor: number | null }>;

type NewRefund = Readonly<{ reference: string | null; amountMinor: number }>;

/**
 * The tax in a new refund, so that all refunds of an order together have the tax in proportion. The
 * refund of a second charge has none, because that charge paid for nothing.
 */
export function refundTax(
  order: TaxedTotal,
  earlier: readonly Pick<Refund, "reference" | "status" | "amountMinor" | "taxMinor">[],
  { reference, amountMinor }: NewRefund,
): number {
  if (reference !== null) return 0;
  const counted = earlier.filter(
    (refund) => refund.reference === null && refund.status !== "failed",
  );
  const refundedMinor = counted.reduce((sum, refund) => sum + refund.amountMinor, amountMinor);
  const taxMinor = counted.reduce((sum, refund) => sum + refund.taxMinor, 0);
  return Math.min(Math.max(taxInAmount(order, refundedMinor) - taxMinor, 0), amountMinor);
}

/** The refunds of an order, oldest first, with their tax also when it was not stored. */
export function withRefundTaxes(refunds: readonly StoredRefund[], order: TaxedTotal): Refund[] {
  const taxed: Refund[] = [];
  for (const refund of refunds) {
    taxed.push({ ...refund, taxMinor: refund.taxMinor ?? refundTax(order, taxed, refund) });
  }
  return taxed;
}

/** The tax in a part of the total; half a unit counts to the taxable amount, as in the tax report. */
function taxInAmount({ totalPriceMinor, taxTotalMinor }: TaxedTotal, amountMinor: number): number {
  if (totalPriceMinor === 0) return 0;
  const [amount, total] = [BigInt(amountMinor), BigInt(totalPriceMinor)];
  const taxable = total - BigInt(taxTotalMinor);
  return Number(amount - (2n * amount * taxable + total) / (2n * total));
}
