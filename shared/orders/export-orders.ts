import type { Context } from "../database/index.ts";
import { formatCsvLine, formatMoney, iso, isoOrNull } from "../kernel/index.ts";
import type { TaxLine } from "../pricing/index.ts";
import { wireStatus } from "./events.ts";
import { itemCount, type Order, type OrderLine } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { type OrderFilter, orderListQuery } from "./order-list-query.ts";
import { fulfilmentStatusOf } from "./shipments/fulfilment.ts";

/** The first page is small, so that the response begins soon. */
const firstPageSize = 100;
/**
 * A page takes five of the thousand queries that D1 allows an invocation, so that 100,000 orders
 * need pages of this size. Orders with many lines have smaller pages, because of their memory.
 */
const maxPageSize = 600;
const maxLinesPerPage = 8_000;

/** The cell of each column, in order (docs/contract/business.md#order-export). */
const columns: Readonly<Record<string, (details: OrderDetails) => string | number | null>> = {
  order_number: ({ order }) => order.orderNumber,
  id: ({ order }) => order.id,
  created_at: ({ order }) => iso(order.createdAt),
  status: ({ order }) => order.status,
  order_type: ({ order }) => order.orderType,
  location_id: ({ order }) => order.locationId,
  customer_id: ({ order }) => order.customerId,
  customer_name: ({ order }) => order.customerName,
  customer_email: ({ order }) => order.customerEmail,
  customer_phone: ({ order }) => order.customerPhone,
  item_count: ({ order }) => itemCount(order),
  items: ({ order }) => order.lines.map(describeLine).join("; "),
  currency: ({ order }) => order.currency,
  subtotal: ({ order }) => formatMoney(order.subtotalMinor, order.currency),
  discount_total: ({ order }) => formatMoney(order.discountTotalMinor, order.currency),
  tax_total: ({ order }) => formatMoney(order.taxTotalMinor, order.currency),
  total_price: ({ order }) => formatMoney(order.totalPriceMinor, order.currency),
  payment_status: ({ order }) => wireStatus(order.paymentStatus),
  payment_method: ({ order }) => order.paymentMethod,
  payment_reference: ({ payment }) => payment.reference,
  payment_currency: ({ payment }) => payment.currency,
  payment_amount: ({ payment }) => formatMoney(payment.amountMinor, payment.currency),
  refunded_amount: (details) => formatMoney(refundedMinor(details), details.payment.currency),
  tags: ({ order }) => order.tags.join(", "),
  customer_notes: ({ order }) => order.customerNotes,
  special_instructions: ({ order }) => order.specialInstructions,
  address_info: ({ order }) => order.addressInfo && JSON.stringify(order.addressInfo),
  cancelled_at: ({ order }) => isoOrNull(order.cancelledAt),
  cancellation_reason: ({ order }) => order.cancellationReason,
  delivery_total: ({ order }) => formatMoney(order.deliveryTotalMinor, order.currency),
  tax_lines: ({ order }) => order.taxLines.map((line) => describeTax(line, order)).join("; "),
  fulfilment_status: fulfilmentStatusOf,
  tracking_numbers: ({ shipments }) =>
    shipments.flatMap(({ trackingNumber }) => trackingNumber ?? []).join("; "),
  delivery_name: ({ order }) => order.delivery?.name ?? null,
};

/**
 * Writes orders as the text of a CSV file, one order a line, in the order of the list. Each chunk is
 * one page, which is read when the caller asks for it.
 */
export async function* exportOrders(
  ctx: Pick<Context, "db" | "business">,
  filter: OrderFilter,
): AsyncGenerator<string> {
  const query = orderListQuery(ctx);
  let header = formatCsvLine(Object.keys(columns));
  let before: { createdAt: number; id: string } | null = null;
  let limit = firstPageSize;
  do {
    const page: OrderDetails[] = await query.listForExport(filter, { limit, before });
    yield header + page.map(formatOrder).join("");
    header = "";
    before = page.length < limit ? null : (page.at(-1)?.order ?? null);
    limit = nextPageSize(page);
  } while (before !== null);
}

/** Assumes that the next orders have as many lines as those of the page. */
function nextPageSize(page: readonly OrderDetails[]): number {
  const lines = page.reduce((sum, { order }) => sum + order.lines.length, 0);
  const fitting = Math.floor((maxLinesPerPage * page.length) / Math.max(lines, 1));
  return Math.min(Math.max(fitting, firstPageSize), maxPageSize);
}

const formatOrder = (details: OrderDetails): string =>
  formatCsvLine(Object.values(columns).map((cellOf) => String(cellOf(details) ?? "")));

const describeLine = ({ quantity, productName, variantName }: OrderLine): string =>
  `${quantity} × ${productName}${variantName === null ? "" : ` (${variantName})`}`;

/** For example "VAT 15%: 3.00". */
const describeTax = (
  { name, ratePercent, amountMinor }: TaxLine,
  { currency }: Pick<Order, "currency">,
): string => `${name} ${ratePercent}%: ${formatMoney(amountMinor, currency)}`;

/** What was refunded of the payment's own charge, without refunds that failed. */
const refundedMinor = ({ refunds }: OrderDetails): number =>
  refunds
    .filter(({ status, reference }) => status !== "failed" && reference === null)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
