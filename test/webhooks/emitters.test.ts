import { describe, expect, it, vi } from "vitest";
import { type EventType, eventTypes } from "../../shared/events/index.ts";
import { recordDispute } from "../../shared/orders/index.ts";
import {
  at,
  type BookingShop,
  cancelBooking,
  createBooking,
  createBookingShop,
  createService,
  requireData,
  rescheduleBooking,
} from "../bookings/create-booking.ts";
import { createSubscription, loadSummary } from "../subscriptions/create-subscription.ts";
import {
  createConversation,
  sendMessage,
  waitUntilListed,
} from "../support/create-conversation.ts";
import { createOrder, createOrderContext, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { runJobsUntilIdle } from "../support/cron.ts";
import { assertEventMatchesCatalogue } from "../support/event-catalogue.ts";
import { selectRows } from "../support/select-rows.ts";
import { merchant, shopper } from "../support/world.ts";

/** Makes a change that emits an event through the API; returns fields that its snapshot must have. */
type EmittingChange = () => Promise<object>;

const createCashSale = async (shop: BookingShop): Promise<PlacedOrder> =>
  createOrder(shop, (await createProduct(shop)).id, { payWith: "cash" });

const createPaidSale = async (shop: BookingShop): Promise<PlacedOrder> =>
  createOrder(shop, (await createProduct(shop)).id);

const postAsMerchant = (shop: BookingShop, path: string, body: object) =>
  requireData(merchant(shop)("POST", path, { body }));

const statusChange =
  (status: "confirmed" | "completed") =>
  async (shop: BookingShop): Promise<EmittingChange> => {
    const { id } = await createCashSale(shop);
    return async () => {
      await postAsMerchant(shop, `/orders/${id}/status`, { status });
      return { id, order_id: id, status, total_price: "20.00", currency: "GHS", item_count: 2 };
    };
  };

/** For each event type: its set-up, and the change that emits it (docs/contract/events.md#event-types). */
const emitters: Readonly<Record<EventType, (shop: BookingShop) => Promise<EmittingChange>>> = {
  "order.created": async (shop) => {
    const product = await createProduct(shop);
    return async () => {
      const { id, number } = await createOrder(shop, product.id, { payWith: "cash" });
      return { id, order_id: id, order_number: number, status: "pending", total_price: "20.00" };
    };
  },
  "order.updated": statusChange("confirmed"),
  "order.completed": statusChange("completed"),
  "order.cancelled": async (shop) => {
    const { id, number } = await createCashSale(shop);
    return async () => {
      await postAsMerchant(shop, `/orders/${id}/cancel`, { reason: "Sold out" });
      return { id, order_id: id, order_number: number, status: "cancelled", item_count: 2 };
    };
  },
  "payment.completed": async (shop) => {
    const { id, paymentId } = await createCashSale(shop);
    return async () => {
      await postAsMerchant(shop, `/orders/${id}/payments/mark-paid`, { method: "cash" });
      return { payment_id: paymentId, order_id: id, payment_status: "succeeded", amount: "20.00" };
    };
  },
  "payment.failed": async (shop) => {
    const ask = shopper(shop);
    const product = await createProduct(shop);
    const { id, paymentId } = await createOrder(shop, product.id, { payWith: "1", ask });
    return async () => {
      for (let tries = 1; tries <= 3; tries += 1) {
        await ask("POST", "/payments/authorization", {
          body: { payment_id: paymentId, authorization: { type: "otp", value: "000000" } },
        });
      }
      return { payment_id: paymentId, order_id: id, payment_status: "failed", amount: "20.00" };
    };
  },
  "payment.refunded": async (shop) => {
    const { id, paymentId } = await createPaidSale(shop);
    return async () => {
      await postAsMerchant(shop, `/orders/${id}/refunds`, { amount: "5" });
      return {
        payment_id: paymentId,
        payment_status: "partially_refunded",
        amount: "20.00",
        refund_amount: "5.00",
      };
    };
  },
  "payment.disputed": async (shop) => {
    const { id, paymentId } = await createPaidSale(shop);
    const money = { amountMinor: 2_000, currency: "GHS" };
    const [dueBy, openedAt] = [Date.parse("2031-01-08"), Date.parse("2031-01-01")];
    return async () => {
      await recordDispute(createOrderContext(shop), id, async () => ({
        ...{ id: "dp_1", status: "needs_response", reason: "fraudulent" },
        ...{ ...money, dueBy, openedAt },
      }));
      const dispute = expect.objectContaining({ status: "needs_response", amount: "20.00" });
      return { payment_id: paymentId, dispute };
    };
  },
  "shipment.created": async (shop) => {
    const { id, number } = await createPaidSale(shop);
    return async () => {
      const shipment = await postAsMerchant(shop, `/orders/${id}/shipments`, {});
      return { ...shipment, order_number: number, status: "shipped" };
    };
  },
  "shipment.updated": async (shop) => {
    const { id, number } = await createPaidSale(shop);
    const { id: shipmentId } = await postAsMerchant(shop, `/orders/${id}/shipments`, {});
    return async () => {
      const path = `/orders/${id}/shipments/${shipmentId}`;
      const body = { status: "in_transit", tracking_number: "JD01" };
      const shipment = await requireData(merchant(shop)("PATCH", path, { body }));
      return { ...shipment, order_number: number, tracking_number: "JD01" };
    };
  },
  "booking.created": async (shop) => {
    const service = await createService(shop);
    // The payment confirms it a moment later.
    return async () => ({ ...(await createBooking(shop, service)).booking, status: "pending" });
  },
  "booking.rescheduled": async (shop) => {
    const placed = await createBooking(shop, await createService(shop));
    return () => requireData(rescheduleBooking(placed.ask, placed, at(14)));
  },
  "booking.cancelled": async (shop) => {
    const placed = await createBooking(shop, await createService(shop));
    return () => requireData(cancelBooking(placed.ask, placed));
  },
  "subscription.renewed": async (shop) => {
    const subscribed = await createSubscription(shop);
    const { current_period_end } = await loadSummary(subscribed);
    return async () => {
      vi.setSystemTime(current_period_end);
      await runJobsUntilIdle(shop);
      return { id: subscribed.id, status: "active", current_period_start: current_period_end };
    };
  },
  "subscription.cancelled": async (shop) => {
    const { id, orderId } = await createSubscription(shop);
    return async () => {
      await postAsMerchant(shop, `/subscriptions/${id}/cancel`, { now: true });
      return { id, status: "cancelled", order_id: orderId };
    };
  },
  "inventory.low_stock": async (shop) => {
    const product = await createProduct(shop, { inventoryType: "tracked" });
    const [location] = shop.business.locations;
    return async () => {
      const path = `/inventory/${product.id}/locations/${location?.id}`;
      const body = { quantity_on_hand: 3, low_stock_threshold: 5 };
      await requireData(merchant(shop)("PUT", path, { body }));
      return { product_id: product.id, variant_id: null, quantity_available: 3, threshold: 5 };
    };
  },
  "support.message_created": async (shop) => {
    const { ask, threadId } = await createConversation(shop);
    return async () => {
      await sendMessage(ask, "Hello");
      await waitUntilListed(shop, threadId, { message_count: 1 });
      return { conversation_id: threadId, sender_type: "customer", content: "Hello" };
    };
  },
};

const listEventData = async (shop: BookingShop, type: EventType): Promise<unknown[]> =>
  (
    await selectRows(
      shop,
      "select data from events where business_id = ? and type = ?",
      shop.business.id,
      type,
    )
  ).map(({ data }) => JSON.parse(String(data)));

describe("each event of the contract", () => {
  it.each(eventTypes)("%s is recorded once by the change that emits it", async (type) => {
    const shop = await createBookingShop();
    const change = await emitters[type](shop);
    expect(await listEventData(shop, type)).toEqual([]);
    // An event has no time until which a booking can be changed: only the customer sees it.
    const { changeable_until: _, ...snapshot } = Object(await change());
    expect(await listEventData(shop, type)).toEqual([expect.objectContaining(snapshot)]);
  });
});

describe("the event check of the tests", () => {
  const low = { product_id: "prod_1", variant_id: null, location_id: "loc_1", threshold: 5 };

  it.each([
    ["lacks a field", low, "quantity_available"],
    ["has an extra field", { ...low, quantity_available: 1, secret: "x" }, "secret"],
    ["has a value of the wrong type", { ...low, quantity_available: "1" }, "quantity_available"],
  ])("names the type and field of a snapshot that %s", (_what, data, field) => {
    const event = { type: "inventory.low_stock", data: JSON.stringify(data) };
    expect(() => assertEventMatchesCatalogue(event)).toThrow(
      `inventory.low_stock does not match the catalogue: ${field}`,
    );
  });

  it("reports an unknown type", () => {
    expect(() => assertEventMatchesCatalogue({ type: "order.eaten", data: "{}" })).toThrow(
      "order.eaten",
    );
  });
});
