import { beforeEach, describe, expect, it, vi } from "vitest";
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
import { createSubscription } from "../subscriptions/create-subscription.ts";
import { createCustomer, phoneContact } from "../support/create-customer.ts";
import { createOrder, type OrderPaymentMethod } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { type ApiResponse, merchant, shopper } from "../support/world.ts";

let shop: BookingShop;

beforeEach(async () => {
  shop = await createBookingShop();
});

type Headers = Readonly<Record<string, string>>;
type SendRequest = (headers: Headers) => Promise<ApiResponse>;

const keyHeaders = { "Idempotency-Key": "one-attempt" };

const placeOrder = async (paymentMethod: OrderPaymentMethod) =>
  createOrder(shop, (await createProduct(shop, { defaultPriceMinor: 2_500 })).id, {
    payWith: paymentMethod,
  });
const placeBooking = async () => createBooking(shop, await createService(shop));
const body = { reason: "Late" };
const newSlot = { new_start_time: at(14), new_end_time: at(15) };

/**
 * Writes whose responses are stored after they are sent (`replay: "same"` in
 * functions/http/contract.ts).
 */
const resumableWrites: Readonly<Record<string, () => Promise<SendRequest>>> = {
  "a shopper's cancel of an order to be paid in cash": async () => {
    const { id, token } = await placeOrder("cash");
    return (headers) =>
      shopper(shop)("POST", `/orders/${id}/cancel?token=${token}`, { body, headers });
  },
  "a shopper's cancel of a paid order": async () => {
    const { id, token } = await placeOrder("0");
    return (headers) =>
      shopper(shop)("POST", `/orders/${id}/cancel?token=${token}`, { body, headers });
  },
  "a merchant's cancel of a paid order": async () => {
    const { id } = await placeOrder("0");
    return (headers) => merchant(shop)("POST", `/orders/${id}/cancel`, { body, headers });
  },
  "an order's status": async () => {
    const { id } = await placeOrder("0");
    return (headers) =>
      merchant(shop)("POST", `/orders/${id}/status`, { body: { status: "ready" }, headers });
  },
  "an order's status that cancels it": async () => {
    const { id } = await placeOrder("0");
    return (headers) =>
      merchant(shop)("POST", `/orders/${id}/status`, { body: { status: "cancelled" }, headers });
  },
  "the status of several orders": async () => {
    const body = { order_ids: [(await placeOrder("0")).id, "ord_unknown"], status: "ready" };
    return (headers) => merchant(shop)("POST", "/orders/bulk-status", { body, headers });
  },
  "an order's cash": async () => {
    const { id } = await placeOrder("cash");
    return (headers) =>
      merchant(shop)("POST", `/orders/${id}/payments/mark-paid`, { body: {}, headers });
  },
  "a due refund": async () => {
    const { id } = await placeOrder("cash");
    const ask = merchant(shop);
    await ask("POST", `/orders/${id}/payments/mark-paid`, { body: {} });
    const { payment } = await requireData(ask("POST", `/orders/${id}/cancel`, { body: {} }));
    return (headers) =>
      ask("POST", `/orders/${id}/refunds/${payment.refunds[0].id}/mark-paid`, { headers });
  },
  "an order's customer": async () => {
    const { id, token } = await placeOrder("cash");
    const customer = await createCustomer(shop, phoneContact("+233241234567"));
    return (headers) =>
      shopper(shop)("POST", `/orders/${id}/customer?token=${token}`, {
        ...{ body: { customer_id: customer.id }, headers },
      });
  },
  "a shopper's cancel of a booking": async () => {
    const placed = await placeBooking();
    return (headers) => cancelBooking(shopper(shop), placed, body, headers);
  },
  "a shopper's move of a booking": async () => {
    const placed = await placeBooking();
    const ask = shopper(shop);
    return (headers) =>
      rescheduleBooking(
        (...[method, path, options]) => ask(method, path, { ...options, headers }),
        placed,
        at(14),
      );
  },
  "a merchant's cancel of a booking": async () => {
    const { booking } = await placeBooking();
    return (headers) => merchant(shop)("POST", `/bookings/${booking.id}/cancel`, { body, headers });
  },
  "a merchant's move of a booking": async () => {
    const { booking } = await placeBooking();
    return (headers) =>
      merchant(shop)("POST", `/bookings/${booking.id}/reschedule`, { body: newSlot, headers });
  },
  "how a booking went": async () => {
    const { booking } = await placeBooking();
    return (headers) =>
      merchant(shop)("POST", `/bookings/${booking.id}/status`, {
        ...{ body: { status: "no_show" }, headers },
      });
  },
  "a subscription's cancel": async () => {
    const { ask, id } = await createSubscription(shop);
    return (headers) => ask("POST", `/subscriptions/${id}/cancel`, { body, headers });
  },
  "a skipped renewal": async () => {
    const { ask, id } = await createSubscription(shop);
    return (headers) => ask("POST", `/subscriptions/${id}/skip`, { headers });
  },
};

/**
 * Deletes the stored response, as if the run had crashed before storing it and its lease had
 * expired.
 */
async function discardStoredResponse(): Promise<void> {
  const { id } = shop.business;
  const kept = () =>
    selectRows(
      shop,
      "select 1 from idempotency_keys where business_id = ? and status is not null",
      id,
    );
  await expect.poll(kept).toHaveLength(1);
  await selectRows(
    shop,
    "update idempotency_keys set status = null, body = null, lease_until = 0 where business_id = ?",
    id,
  );
}

/** Reads everything that a second run must not change. */
const readEffects = async () => [
  await listOutboxEventTypes(shop),
  await selectRows(shop, "select id, status from refunds order by id"),
  await selectRows(shop, "select entity, action from audit_entries order by id"),
  await selectRows(shop, "select id, version from orders order by id"),
  await selectRows(shop, "select id, version from subscriptions order by id"),
];

describe("a second run after the response was not stored", () => {
  it.each(Object.keys(resumableWrites))(
    "of %s responds the same and changes nothing",
    async (name) => {
      const ask = await resumableWrites[name]?.();
      const first = await ask?.(keyHeaders);
      expect(first?.status).toBe(200);
      const before = await readEffects();
      await discardStoredResponse();
      vi.setSystemTime(Date.now() + 90_000);
      const second = await ask?.(keyHeaders);
      expect([second?.status, second?.body]).toEqual([200, first?.body]);
      expect(await readEffects()).toEqual(before);
    },
  );
});
