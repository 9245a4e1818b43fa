import type { Business } from "../../businesses/index.ts";
import { isTaxIncluded, type Order, type OrderDetails } from "../../orders/index.ts";
import type { Formats } from "./format.ts";
import { withoutLinks } from "./plain-text.ts";
import type { BlockRow, VariableValues } from "./values.ts";

type OrderView = Readonly<{
  details: OrderDetails;
  business: Pick<Business, "timezone" | "locations">;
  formats: Formats;
  orderUrl: string | null;
}>;

const paymentMethods: Readonly<Record<string, string>> = {
  card: "Card",
  mobile_money: "Mobile money",
  cash: "Cash",
};

/** The variables of messages about an order. */
export function orderValues({ details, business, formats, orderUrl }: OrderView): VariableValues {
  const { order, payment } = details;
  const { currency } = order;
  return {
    customer_name: withoutLinks(order.customerName),
    order_number: order.orderNumber,
    order_date: formats.date(order.createdAt, business.timezone),
    order_total: formats.money(order.totalPriceMinor, currency),
    order_items: { type: "block", rows: order.lines.map((line) => lineRow(line, order, formats)) },
    order_totals: { type: "block", rows: totalRows(order, formats) },
    delivery: deliveryOf(order, business),
    order_url: orderUrl === null ? null : { type: "link", label: "View your order", url: orderUrl },
    payment_method: paymentMethods[payment.method] ?? payment.method,
    paid_amount: formats.money(payment.amountMinor, payment.currency),
    paid_at: formats.date(payment.settledAt ?? payment.updatedAt, business.timezone),
    amount_due: formats.money(payment.amountMinor, payment.currency),
    reason: withoutLinks(order.cancellationReason),
  };
}

type Line = Order["lines"][number];

const lineRow = (
  { productName, variantName, quantity, unitPriceMinor }: Line,
  { currency }: Pick<Order, "currency">,
  formats: Formats,
): BlockRow => ({
  label: [`${quantity} × ${productName}`, variantName].filter(Boolean).join(", "),
  amount: formats.money(unitPriceMinor * quantity, currency),
});

/** The totals as the order shows them; each tax rate has a row of its own. */
function totalRows(order: Order, formats: Formats): BlockRow[] {
  const { currency } = order;
  const isIncluded = isTaxIncluded(order);
  const row = (label: string, minor: number): BlockRow => ({
    label,
    amount: formats.money(minor, currency),
  });
  const optional = (label: string, minor: number) => (minor === 0 ? [] : [row(label, minor)]);
  return [
    row("Subtotal", order.subtotalMinor),
    ...optional("Discount", -order.discountTotalMinor),
    ...optional(order.delivery?.name ?? "Delivery", order.deliveryTotalMinor),
    ...order.taxLines.map(({ name, ratePercent, amountMinor }) =>
      row(`${name} ${ratePercent} %${isIncluded ? " (included)" : ""}`, amountMinor),
    ),
    { ...row("Total", order.totalPriceMinor), isTotal: true },
  ];
}

/** Where the order goes, or where it can be collected. */
function deliveryOf(
  { addressInfo, delivery }: Order,
  { locations }: Pick<Business, "locations">,
): string | null {
  if (delivery?.type === "pickup") {
    const location = locations.find(({ id }) => id === delivery.locationId);
    return location ? `Collect it at ${location.name}${addressSuffix(location.address)}.` : null;
  }
  if (addressInfo === null) return null;
  const address = addressLines(addressInfo);
  return address.length === 0 ? null : withoutLinks(`Delivery to: ${address.join(", ")}`);
}

const addressFields = ["street_address", "apartment", "city", "region", "postal_code", "country"];

const addressLines = (address: NonNullable<Order["addressInfo"]>): string[] =>
  addressFields.flatMap((field) => {
    const value = address[field];
    return typeof value === "string" && value !== "" ? [value] : [];
  });

const addressSuffix = (address: Business["locations"][number]["address"]): string => {
  const parts = [address?.streetAddress, address?.city].filter(Boolean);
  return parts.length === 0 ? "" : `, ${parts.join(", ")}`;
};

/** The items of a shipment, by the lines of its order. */
export function shipmentValues(
  { order, shipments }: OrderDetails,
  shipmentId: string,
): VariableValues {
  const shipment = shipments.find(({ id }) => id === shipmentId);
  if (!shipment) return {};
  const rows = shipment.items.flatMap(({ orderLineId, quantity }): BlockRow[] => {
    const line = order.lines.find(({ id }) => id === orderLineId);
    return line
      ? [
          {
            label: [`${quantity} × ${line.productName}`, line.variantName]
              .filter(Boolean)
              .join(", "),
            amount: null,
          },
        ]
      : [];
  });
  const { carrier, trackingNumber, trackingUrl } = shipment;
  return {
    carrier,
    tracking_number: trackingNumber,
    tracking_url:
      trackingUrl === null ? null : { type: "link", label: "Track it", url: trackingUrl },
    shipment_items: { type: "block", rows },
  };
}
