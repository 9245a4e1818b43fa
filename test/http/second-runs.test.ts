import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  at,
  cancel,
  givenBooking,
  givenService,
  givenShop,
  move,
  type Shop,
} from "../bookings/given.ts";
import { givenSubscribed } from "../subscriptions/given.ts";
import { givenProduct } from "../support/catalogue.ts";
import { givenCustomer, phoneOf } from "../support/customers.ts";
import { givenSale, type How } from "../support/orders.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { type Answer, merchant, shopper } from "../support/world.ts";

let shop: Shop;

beforeEach(async () => {
  shop = await givenShop();
});

type Headers = Readonly<Record<string, string>>;
type Ask = (headers: Headers) => Promise<Answer>;

const keyed = { "Idempotency-Key": "one-attempt" };

const sold = async (how: How) =>
  givenSale(shop, (await givenProduct(shop, { defaultPriceMinor: 2_500 })).id, { how });
const booked = async () => givenBooking(shop, await givenService(shop));
const body = { reason: "Late" };
const hour = { new_start_time: at(14), new_end_time: at(15) };

/** The rows that are kept behind their answers (`knowsRepeats` in functions/http/contract.ts). */
const alike: Readonly<Record<string, () => Promise<Ask>>> = {
  "a shopper's cancel of an order to be paid in cash": async () => {
    const { id, token } = await sold("cash");
    return (headers) =>
      shopper(shop)("POST", `/orders/${id}/cancel?token=${token}`, { body, headers });
  },
  "a shopper's cancel of a paid order": async () => {
    const { id, token } = await sold("0");
    return (headers) =>
      shopper(shop)("POST", `/orders/${id}/cancel?token=${token}`, { body, headers });
  },
  "a merchant's cancel of a paid order": async () => {
    const { id } = await sold("0");
    return (headers) => merchant(shop)("POST", `/orders/${id}/cancel`, { body, headers });
  },
  "an order's status": async () => {
    const { id } = await sold("0");
    return (headers) =>
      merchant(shop)("POST", `/orders/${id}/status`, { body: { status: "ready" }, headers });
  },
  "an order's status that cancels it": async () => {
    const { id } = await sold("0");
    return (headers) =>
      merchant(shop)("POST", `/orders/${id}/status`, { body: { status: "cancelled" }, headers });
  },
  "an order's cash": async () => {
    const { id } = await sold("cash");
    return (headers) =>
      merchant(shop)("POST", `/orders/${id}/payments/mark-paid`, { body: {}, headers });
  },
  "an order's customer": async () => {
    const { id, token } = await sold("cash");
    const customer = await givenCustomer(shop, phoneOf("+233241234567"));
    return (headers) =>
      shopper(shop)("POST", `/orders/${id}/customer?token=${token}`, {
        ...{ body: { customer_id: customer.id }, headers },
      });
  },
  "a shopper's cancel of a booking": async () => {
    const placed = await booked();
    return (headers) => cancel(shopper(shop), placed, body, headers);
  },
  "a shopper's move of a booking": async () => {
    const placed = await booked();
    const ask = shopper(shop);
    return (headers) =>
      move(
        (...[method, path, options]) => ask(method, path, { ...options, headers }),
        placed,
        at(14),
      );
  },
  "a merchant's cancel of a booking": async () => {
    const { booking } = await booked();
    return (headers) => merchant(shop)("POST", `/bookings/${booking.id}/cancel`, { body, headers });
  },
  "a merchant's move of a booking": async () => {
    const { booking } = await booked();
    return (headers) =>
      merchant(shop)("POST", `/bookings/${booking.id}/reschedule`, { body: hour, headers });
  },
  "how a booking went": async () => {
    const { booking } = await booked();
    return (headers) =>
      merchant(shop)("POST", `/bookings/${booking.id}/status`, {
        ...{ body: { status: "no_show" }, headers },
      });
  },
  "a subscription's cancel": async () => {
    const { ask, id } = await givenSubscribed(shop);
    return (headers) => ask("POST", `/subscriptions/${id}/cancel`, { body, headers });
  },
  "a skipped renewal": async () => {
    const { ask, id } = await givenSubscribed(shop);
    return (headers) => ask("POST", `/subscriptions/${id}/skip`, { headers });
  },
};

/** As if the run had died before its answer was kept, and its lease were over. */
async function forgetAnswers(): Promise<void> {
  const { id } = shop.business;
  const kept = () =>
    rowsOf(shop, "select 1 from idempotency_keys where business_id = ? and status is not null", id);
  await vi.waitFor(async () => expect(await kept()).toHaveLength(1));
  await rowsOf(
    shop,
    "update idempotency_keys set status = null, body = null, lease_until = 0 where business_id = ?",
    id,
  );
}

/** What a second run must not do again. */
const done = async () => [
  await eventsOf(shop),
  await rowsOf(shop, "select id, status from refunds order by id"),
  await rowsOf(shop, "select entity, action from audit_entries order by id"),
  await rowsOf(shop, "select id, version from orders order by id"),
  await rowsOf(shop, "select id, version from subscriptions order by id"),
];

describe("a second run, where the first one's answer was not kept", () => {
  it.each(Object.keys(alike))("of %s answers alike, and does nothing more", async (name) => {
    const ask = await alike[name]?.();
    const first = await ask?.(keyed);
    expect(first?.status).toBe(200);
    const before = await done();
    await forgetAnswers();
    vi.setSystemTime(Date.now() + 90_000);
    const second = await ask?.(keyed);
    expect([second?.status, second?.body]).toEqual([200, first?.body]);
    expect(await done()).toEqual(before);
  });
});
