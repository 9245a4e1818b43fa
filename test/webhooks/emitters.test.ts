import { describe, expect, it, vi } from "vitest";
import { type EventType, eventTypes } from "../../shared/events/index.ts";
import {
  at,
  cancel,
  givenBooking,
  givenService,
  givenShop,
  had,
  move,
  type Shop,
} from "../bookings/given.ts";
import { givenSubscribed, summaryOf } from "../subscriptions/given.ts";
import { givenProduct } from "../support/catalogue.ts";
import { demandOne } from "../support/catalogued.ts";
import { cronFor } from "../support/cron.ts";
import { givenSale, type Sold } from "../support/orders.ts";
import { rowsOf } from "../support/shop-database.ts";
import { merchant, shopper } from "../support/world.ts";

/** A change that emits an event, made by a call as everybody makes it; tells what its snapshot holds at least. */
type Change = () => Promise<object>;

const cashSale = async (shop: Shop): Promise<Sold> =>
  givenSale(shop, (await givenProduct(shop)).id, { how: "cash" });

const paidSale = async (shop: Shop): Promise<Sold> =>
  givenSale(shop, (await givenProduct(shop)).id);

const own = (shop: Shop, path: string, body: object) => had(merchant(shop)("POST", path, { body }));

const statusChange =
  (status: "confirmed" | "completed") =>
  async (shop: Shop): Promise<Change> => {
    const { id } = await cashSale(shop);
    return async () => {
      await own(shop, `/orders/${id}/status`, { status });
      return { id, order_id: id, status, total_price: "20.00", currency: "GHS", item_count: 2 };
    };
  };

/** For each event of the catalogue: what goes before, and the change that it belongs to (interface.md, Webhook events). */
const emitters: Readonly<Record<EventType, (shop: Shop) => Promise<Change>>> = {
  "order.created": async (shop) => {
    const product = await givenProduct(shop);
    return async () => {
      const { id, number } = await givenSale(shop, product.id, { how: "cash" });
      return { id, order_id: id, order_number: number, status: "pending", total_price: "20.00" };
    };
  },
  "order.updated": statusChange("confirmed"),
  "order.completed": statusChange("completed"),
  "order.cancelled": async (shop) => {
    const { id, number } = await cashSale(shop);
    return async () => {
      await own(shop, `/orders/${id}/cancel`, { reason: "Sold out" });
      return { id, order_id: id, order_number: number, status: "cancelled", item_count: 2 };
    };
  },
  "payment.completed": async (shop) => {
    const { id, paymentId } = await cashSale(shop);
    return async () => {
      await own(shop, `/orders/${id}/payments/mark-paid`, { method: "cash" });
      return { payment_id: paymentId, order_id: id, payment_status: "succeeded", amount: "20.00" };
    };
  },
  "payment.failed": async (shop) => {
    const ask = shopper(shop);
    const product = await givenProduct(shop);
    const { id, paymentId } = await givenSale(shop, product.id, { how: "1", ask });
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
    const { id, paymentId } = await paidSale(shop);
    return async () => {
      await own(shop, `/orders/${id}/refunds`, { amount: "5" });
      return {
        payment_id: paymentId,
        payment_status: "partially_refunded",
        amount: "20.00",
        refund_amount: "5.00",
      };
    };
  },
  "booking.created": async (shop) => {
    const service = await givenService(shop);
    // Its payment, a moment later, confirms it.
    return async () => ({ ...(await givenBooking(shop, service)).booking, status: "pending" });
  },
  "booking.rescheduled": async (shop) => {
    const placed = await givenBooking(shop, await givenService(shop));
    return () => had(move(placed.ask, placed, at(14)));
  },
  "booking.cancelled": async (shop) => {
    const placed = await givenBooking(shop, await givenService(shop));
    return () => had(cancel(placed.ask, placed));
  },
  "subscription.renewed": async (shop) => {
    const subscribed = await givenSubscribed(shop);
    const { current_period_end } = await summaryOf(subscribed);
    return async () => {
      vi.setSystemTime(current_period_end);
      await cronFor(shop);
      return { id: subscribed.id, status: "active", current_period_start: current_period_end };
    };
  },
  "subscription.cancelled": async (shop) => {
    const { id, orderId } = await givenSubscribed(shop);
    return async () => {
      await own(shop, `/subscriptions/${id}/cancel`, { now: true });
      return { id, status: "cancelled", order_id: orderId };
    };
  },
  "inventory.low_stock": async (shop) => {
    const product = await givenProduct(shop, { inventoryType: "tracked" });
    const [location] = shop.business.locations;
    return async () => {
      const path = `/inventory/${product.id}/locations/${location?.id}`;
      const body = { quantity_on_hand: 3, low_stock_threshold: 5 };
      await had(merchant(shop)("PUT", path, { body }));
      return { product_id: product.id, variant_id: null, quantity_available: 3, threshold: 5 };
    };
  },
};

const recorded = async (shop: Shop, type: EventType): Promise<unknown[]> =>
  (
    await rowsOf(
      shop,
      "select data from events where business_id = ? and type = ?",
      shop.business.id,
      type,
    )
  ).map(({ data }) => JSON.parse(String(data)));

describe("each event of the contract", () => {
  it.each(eventTypes)("%s is recorded, once, by the change that it belongs to", async (type) => {
    const shop = await givenShop();
    const change = await emitters[type](shop);
    expect(await recorded(shop, type)).toEqual([]);
    const snapshot = await change();
    expect(await recorded(shop, type)).toEqual([expect.objectContaining(snapshot)]);
  });
});

describe("the check of what tests make happen", () => {
  const low = { product_id: "prod_1", variant_id: null, location_id: "loc_1", threshold: 5 };

  it.each([
    ["lacks a field", low, "quantity_available"],
    ["has one besides", { ...low, quantity_available: 1, secret: "x" }, "secret"],
    ["has another kind of value", { ...low, quantity_available: "1" }, "quantity_available"],
  ])("tells of a snapshot that %s, by type and field", (_what, data, field) => {
    const event = { type: "inventory.low_stock", data: JSON.stringify(data) };
    expect(() => demandOne(event)).toThrow(
      `inventory.low_stock is otherwise than catalogued: ${field}`,
    );
  });

  it("tells of a type that is in no catalogue", () => {
    expect(() => demandOne({ type: "order.eaten", data: "{}" })).toThrow("order.eaten");
  });
});
