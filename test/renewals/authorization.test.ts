import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  createSubscription,
  loadSubscription,
  runCronAt,
  type TestSubscription,
} from "../subscriptions/create-subscription.ts";
import { selectRows } from "../support/select-rows.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { type ApiClient, createBusiness, dataOf, roundTrips, shopper } from "../support/world.ts";
import { findRenewalOrder, firstRenewalTime, setPhoneDigit, startTime } from "./renewal-state.ts";

let shop: CreatedBusiness;
let subscribed: TestSubscription;
let order: string;

/** A renewal that requires a code from the customer's phone. */
beforeEach(async () => {
  vi.setSystemTime(startTime);
  shop = await createBusiness();
  subscribed = await createSubscription(shop);
  await setPhoneDigit(shop, subscribed, "1");
  await runCronAt(shop, firstRenewalTime);
  order = await findRenewalOrder(shop, subscribed);
});

const authorize = (ask: ApiClient, payment_id: string, value = "123456") =>
  ask("POST", "/payments/authorization", {
    body: { payment_id, authorization: { type: "otp", value } },
  });

const paymentOf = async (): Promise<string> => {
  const [row] = await selectRows(shop, "select id from payments where order_id = ?", order);
  return String(row?.id);
};

describe("a renewal that requires a code", () => {
  it("can be authorized by its customer on another device", async () => {
    const { ask } = await createLoggedInShopper(shop);
    const [{ order_id }] = (await loadSubscription({ ask, id: subscribed.id })).recent_invoices;
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
    expect(await loadSubscription({ ask, id: subscribed.id })).toMatchObject({
      subscription: { status: "active", current_period_start: firstRenewalTime },
      recent_invoices: [{ status: "paid" }, {}],
    });
  });

  it("takes no more round trips than any other authorization", async () => {
    const { ask } = await createLoggedInShopper(shop);
    const { d1, do: hops } = roundTrips(await authorize(ask, await paymentOf(), "000000"));
    expect([d1, hops]).toEqual([1, 1]);
  });

  it("is NOT_FOUND for guests and other customers", async () => {
    const others = [shopper(shop), (await createLoggedInShopper(shop, "+233207654321")).ask];
    await others[0]?.("POST", "/cart/items", { body: { item_id: subscribed.product.id } });
    for (const ask of others) {
      expect(await authorize(ask, await paymentOf())).toMatchObject({
        status: 404,
        body: { error: { code: "NOT_FOUND" } },
      });
    }
  });
});

describe("a payment that is not a renewal", () => {
  it("can only be authorized by its session, not by its customer on another device", async () => {
    const sale = await createSubscription(shop, { how: "1", customer: subscribed });
    const { ask } = await createLoggedInShopper(shop);
    expect(await authorize(ask, sale.paymentId)).toMatchObject({ status: 404 });
    expect(await authorize(sale.ask, sale.paymentId)).toMatchObject({ status: 200 });
  });
});
