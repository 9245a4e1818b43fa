import type { Release } from "../../../shared/agents/index.ts";
import {
  type AgentOrderDetails,
  isTaxIncluded,
  type OrderDetails,
  type OrderLine,
  soldUnits,
  wereItemsReturned,
} from "../../../shared/orders/index.ts";
import { lineDiscounts } from "../../../shared/pricing/index.ts";
import { viewAdjustments } from "./agent-order-adjustments.ts";
import {
  type LineUnits,
  viewExpectations,
  viewFulfilmentEvents,
} from "./agent-order-fulfilment.ts";

type Total = Readonly<{ type: string; amount: number; display_text: string }>;

/**
 * An order as a platform reads and receives it: always the whole order, in the release in which it
 * was placed (docs/agents.md#orders). Both releases have the same fields.
 */
export function viewAgentOrder(
  { details, agent }: AgentOrderDetails,
  { release, permalinkUrl }: Readonly<{ release: Release; permalinkUrl: string }>,
) {
  const { order } = details;
  const units = unitsByLine(details);
  return {
    ucp: {
      version: release,
      capabilities: { "dev.ucp.shopping.order": [{ version: release }] },
    },
    id: order.id,
    label: order.orderNumber,
    // An order that no agent placed has no checkout of the protocol.
    checkout_id: agent?.checkoutId ?? order.id,
    permalink_url: permalinkUrl,
    currency: order.currency,
    line_items: order.lines.map((line, index) =>
      viewLine(line, {
        units: unitsOf(units, line),
        discountMinor: lineDiscounts(order.discounts, index).reduce(
          (sum, { amountMinor }) => sum + amountMinor,
          0,
        ),
      }),
    ),
    fulfillment: {
      expectations: viewExpectations(order, units),
      events: viewFulfilmentEvents(details.shipments),
    },
    adjustments: viewAdjustments(details),
    totals: viewTotals(order),
  };
}

const unitsOf = (units: ReadonlyMap<string, LineUnits>, { id }: OrderLine): LineUnits =>
  units.get(id) ?? { original: 0, total: 0, fulfilled: 0 };

function unitsByLine(details: OrderDetails): ReadonlyMap<string, LineUnits> {
  const { order } = details;
  const shipped = soldUnits(details);
  const isReturned = wereItemsReturned(details);
  return new Map(
    order.lines.map(({ id, quantity: original }) => {
      const handedOver = order.status === "completed" ? original : (shipped.get(id) ?? 0);
      const sold = order.status === "cancelled" ? (shipped.get(id) ?? 0) : original;
      const total = isReturned ? 0 : sold;
      return [id, { original, total, fulfilled: Math.min(handedOver, total) }];
    }),
  );
}

function viewLine(
  line: OrderLine,
  { units, discountMinor }: Readonly<{ units: LineUnits; discountMinor: number }>,
) {
  const subtotal = line.unitPriceMinor * line.quantity;
  const name = [line.productName, line.variantName].filter((part) => part !== null).join(" – ");
  return {
    id: line.id,
    item: { id: line.variantId ?? line.productId, title: name, price: line.unitPriceMinor },
    quantity: units,
    totals: [
      { type: "subtotal", amount: subtotal, display_text: "Subtotal" },
      ...(discountMinor > 0
        ? [{ type: "items_discount", amount: -discountMinor, display_text: "Discount" }]
        : []),
      { type: "total", amount: subtotal - discountMinor, display_text: "Total" },
    ],
    status: lineStatus(units),
  };
}

function lineStatus({ total, fulfilled }: LineUnits) {
  if (total === 0) return "removed";
  if (fulfilled === total) return "fulfilled";
  return fulfilled > 0 ? "partial" : "processing";
}

/** The totals that were charged. All but the last one add up to it. */
function viewTotals(order: OrderDetails["order"]): Total[] {
  const addedTax = isTaxIncluded(order)
    ? []
    : order.taxLines.map(({ name, amountMinor }) => entry("tax", amountMinor, name));
  const parts = [
    entry("subtotal", order.subtotalMinor, "Subtotal"),
    entry("discount", -order.discountTotalMinor, "Discount"),
    entry("fulfillment", order.deliveryTotalMinor, order.delivery?.name ?? "Delivery"),
    ...addedTax,
  ];
  // An exempt customer does not pay the tax that the prices contain.
  const exempted = order.totalPriceMinor - parts.reduce((sum, { amount }) => sum + amount, 0);
  return [
    ...[...parts, entry("discount", exempted, "Tax exemption")].filter(
      ({ type, amount }) => type === "subtotal" || amount !== 0,
    ),
    entry("total", order.totalPriceMinor, "Total"),
  ];
}

const entry = (type: string, amount: number, displayText: string): Total => ({
  type,
  amount,
  display_text: displayText,
});
