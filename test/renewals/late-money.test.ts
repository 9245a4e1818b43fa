import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { cronAt, givenSubscribed, ordersOf, type Subscribed } from "../subscriptions/given.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness, merchant } from "../support/world.ts";
import { due as dueText, merchantAsks, paysFrom, renewalOf, renewals, start } from "./given.ts";

const minute = 60_000;
const due = Date.parse(dueText);

let shop: CreatedBusiness;
let subscribed: Subscribed;
let order: string;

/** A renewal that waits for the customer's phone. */
beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await givenBusiness();
  subscribed = await givenSubscribed(shop);
  await paysFrom(shop, subscribed, "2");
  await cronAt(shop, due);
  order = await renewalOf(shop, subscribed);
});

/** The phone confirms it now, whatever became of the order. */
const confirmed = () =>
  rowsOf(shop, "update sandbox_charges set status = 'captured' where order_id = ?", order);

const stateOf = async () =>
  (
    await rowsOf(
      shop,
      "select status, due_at, cycle from subscriptions where id = ?",
      subscribed.id,
    )
  )[0];

describe("money for a renewal that comes late", () => {
  it("after its order was cancelled goes back, and an ended subscription rests", async () => {
    const { ask, id } = subscribed;
    await ask("POST", `/orders/${order}/cancel`, { body: {} });
    await confirmed();
    await ask("POST", `/orders/${order}/verify-payment`);
    await ask("POST", `/subscriptions/${id}/cancel`, { body: {} });
    await cronAt(shop, due + minute);
    expect(await stateOf()).toEqual({ status: "cancelled", due_at: null, cycle: 1 });
    expect((await ordersOf(shop, subscribed))[1]).toMatchObject({
      invoice: "void",
      status: "cancelled",
    });
    const refunds = await rowsOf(shop, "select status from refunds where order_id = ?", order);
    expect(refunds).toEqual([{ status: "refunded" }]);
  });

  it("after its customer was erased stays with its order, and nothing is due any more", async () => {
    await merchant(shop)("DELETE", `/customers/${subscribed.customerId}/data`);
    await confirmed();
    await cronAt(shop, due + minute);
    await cronAt(shop, due + 7 * minute);
    expect(await stateOf()).toMatchObject({ status: "cancelled", due_at: null });
    expect((await ordersOf(shop, subscribed))[1]).toMatchObject({
      invoice: "paid",
      payment_status: "captured",
    });
  });

  it("for one that was cancelled meanwhile pays for its order, and renews nothing", async () => {
    await subscribed.ask("POST", `/subscriptions/${subscribed.id}/cancel`, { body: {} });
    await confirmed();
    await cronAt(shop, due + minute);
    expect(await stateOf()).toMatchObject({ status: "cancelled", due_at: null });
    expect((await ordersOf(shop, subscribed))[1]).toMatchObject({
      invoice: "paid",
      payment_status: "captured",
    });
    expect(await renewals(shop)).toBe(0);
  });

  it("for one that ended with its first order renews nothing, though no job was there yet", async () => {
    await merchantAsks(shop, `/orders/${subscribed.orderId}/cancel`);
    await confirmed();
    await subscribed.ask("POST", `/orders/${order}/verify-payment`);
    expect((await ordersOf(shop, subscribed))[1]).toMatchObject({
      invoice: "paid",
      payment_status: "captured",
    });
    await cronAt(shop, due + minute);
    expect(await stateOf()).toMatchObject({ status: "cancelled", due_at: null });
    expect(await renewals(shop)).toBe(0);
  });
});
