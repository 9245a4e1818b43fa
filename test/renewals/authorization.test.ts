import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { cronAt, detailOf, givenSubscribed, type Subscribed } from "../subscriptions/given.ts";
import { dataOf } from "../support/orders.ts";
import { loggedInShopper } from "../support/sessions.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness, roundTrips, shopper } from "../support/world.ts";
import { due, paysFrom, renewalOf, start } from "./given.ts";

let shop: CreatedBusiness;
let subscribed: Subscribed;
let order: string;

/** A renewal whose phone is asked for a code; its customer was not there. */
beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await givenBusiness();
  subscribed = await givenSubscribed(shop);
  await paysFrom(shop, subscribed, "1");
  await cronAt(shop, due);
  order = await renewalOf(shop, subscribed);
});

type Ask = Subscribed["ask"];

const authorize = (ask: Ask, payment_id: string, value = "123456") =>
  ask("POST", "/payments/authorization", {
    body: { payment_id, authorization: { type: "otp", value } },
  });

const paymentOf = async (): Promise<string> => {
  const [row] = await rowsOf(shop, "select id from payments where order_id = ?", order);
  return String(row?.id);
};

describe("a renewal that asks for a code", () => {
  it("is found by its customer on another device, and authorized there", async () => {
    const { ask } = await loggedInShopper(shop);
    const [{ order_id }] = (await detailOf({ ask, id: subscribed.id })).recent_invoices;
    const status = dataOf(await ask("GET", `/orders/${order_id}/payment-status`));
    expect(status).toMatchObject({
      order_id: order,
      payment_status: "requires_action",
      next_action: { type: "authorization", authorization_type: "otp" },
    });
    const answered = await authorize(ask, status.payment_id);
    expect(answered).toMatchObject({
      status: 200,
      body: { data: { payment_status: "captured", next_action: { type: "none" } } },
    });
    expect(await detailOf({ ask, id: subscribed.id })).toMatchObject({
      subscription: { status: "active", current_period_start: due },
      recent_invoices: [{ status: "paid" }, {}],
    });
  });

  it("asks no more of the databases than any other", async () => {
    const { ask } = await loggedInShopper(shop);
    const { d1, do: hops } = roundTrips(await authorize(ask, await paymentOf(), "000000"));
    expect([d1, hops]).toEqual([1, 1]);
  });

  it("is nobody else's: strangers and other customers find none", async () => {
    const others = [shopper(shop), (await loggedInShopper(shop, "+233207654321")).ask];
    await others[0]?.("POST", "/cart/items", { body: { item_id: subscribed.product.id } });
    for (const ask of others) {
      expect(await authorize(ask, await paymentOf())).toMatchObject({
        status: 404,
        body: { error: { code: "NOT_FOUND" } },
      });
    }
  });
});

describe("a payment that is no renewal's", () => {
  it("is its session's alone, also for its customer elsewhere", async () => {
    const sale = await givenSubscribed(shop, { how: "1", customer: subscribed });
    const { ask } = await loggedInShopper(shop);
    expect(await authorize(ask, sale.paymentId)).toMatchObject({ status: 404 });
    expect(await authorize(sale.ask, sale.paymentId)).toMatchObject({ status: 200 });
  });
});
