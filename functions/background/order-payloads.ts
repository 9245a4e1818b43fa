import { findOrderContents, type OrderContents } from "../../shared/orders/index.ts";
import { lineDiscounts } from "../../shared/pricing/index.ts";
import type { LoadOrderPayloads, OrderPayload } from "../../shared/webhooks/index.ts";
import { viewOrderItem } from "../wire/views/order.ts";

/** Loads what full webhook payloads show of orders (docs/contract/events.md#webhook-full-payload). */
export const loadOrderPayloads: LoadOrderPayloads = async (ctx, orderIds) => {
  const orders = await findOrderContents(ctx, orderIds);
  return new Map(orders.map((order) => [order.id, toOrderPayload(order)]));
};

const toOrderPayload = ({
  version,
  currency,
  lines,
  discounts,
  ...order
}: OrderContents): OrderPayload => ({
  version,
  data: {
    // Without a request there is no host, so the addresses of images stay relative.
    lines: lines.map((line, index) =>
      viewOrderItem(line, {
        currency,
        address: null,
        discounts: lineDiscounts(discounts, index),
      }),
    ),
    contact: {
      name: order.customerName,
      email: order.customerEmail,
      phone: order.customerPhone,
      delivery_address: order.addressInfo,
    },
  },
});
