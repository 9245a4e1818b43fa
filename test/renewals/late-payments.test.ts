import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import {
  createSubscription,
  loadPeriodOrders,
  runCronAt,
  type TestSubscription,
} from "../subscriptions/create-subscription.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, merchant } from "../support/world.ts";
import {
  callAsMerchant,
  countRenewals,
  firstRenewalTime as dueText,
  findRenewalOrder,
  setPhoneDigit,
  startTime,
} from "./renewal-state.ts";

const due = Date.parse(dueText);

let shop: CreatedBusiness;
let subscribed: TestSubscription;
let order: string;

/** A renewal that waits for the customer's phone. */
beforeEach(async () => {
  vi.setSystemTime(startTime);
  shop = await createBusiness();
  subscribed = await createSubscription(shop);
  await setPhoneDigit(shop, subscribed, "2");
  await runCronAt(shop, due);
  order = await findRenewalOrder(shop, subscribed);
});

/** The phone confirms the payment now. */
const confirmed = () =>
  selectRows(shop, "update sandbox_charges set status = 'captured' where order_id = ?", order);

const stateOf = async () =>
  (
    await selectRows(
      shop,
      "select status, due_at, cycle from subscriptions where id = ?",
      subscribed.id,
    )
  )[0];

describe("a late payment of a renewal", () => {
  it("is refunded when its order was cancelled", async () => {
    const { ask, id } = subscribed;
    await ask("POST", `/orders/${order}/cancel`, { body: {} });
    await confirmed();
    await ask("POST", `/orders/${order}/verify-payment`);
    await ask("POST", `/subscriptions/${id}/cancel`, { body: {} });
    await runCronAt(shop, due + minute);
    expect(await stateOf()).toEqual({ status: "cancelled", due_at: null, cycle: 1 });
    expect((await loadPeriodOrders(shop, subscribed))[1]).toMatchObject({
      invoice: "void",
      status: "cancelled",
    });
    const refunds = await selectRows(shop, "select status from refunds where order_id = ?", order);
    expect(refunds).toEqual([{ status: "refunded" }]);
  });

  it("stays with its order when the customer was erased, and nothing is due any more", async () => {
    await merchant(shop)("DELETE", `/customers/${subscribed.customerId}/data`);
    await confirmed();
    await runCronAt(shop, due + minute);
    await runCronAt(shop, due + 7 * minute);
    expect(await stateOf()).toMatchObject({ status: "cancelled", due_at: null });
    expect((await loadPeriodOrders(shop, subscribed))[1]).toMatchObject({
      invoice: "paid",
      payment_status: "captured",
    });
  });

  it("pays the order of a cancelled subscription without renewing it", async () => {
    await subscribed.ask("POST", `/subscriptions/${subscribed.id}/cancel`, { body: {} });
    await confirmed();
    await runCronAt(shop, due + minute);
    expect(await stateOf()).toMatchObject({ status: "cancelled", due_at: null });
    expect((await loadPeriodOrders(shop, subscribed))[1]).toMatchObject({
      invoice: "paid",
      payment_status: "captured",
    });
    expect(await countRenewals(shop)).toBe(0);
  });

  it("does not renew a subscription that ended with its first order, even before the job ran", async () => {
    await callAsMerchant(shop, `/orders/${subscribed.orderId}/cancel`);
    await confirmed();
    await subscribed.ask("POST", `/orders/${order}/verify-payment`);
    expect((await loadPeriodOrders(shop, subscribed))[1]).toMatchObject({
      invoice: "paid",
      payment_status: "captured",
    });
    await runCronAt(shop, due + minute);
    expect(await stateOf()).toMatchObject({ status: "cancelled", due_at: null });
    expect(await countRenewals(shop)).toBe(0);
  });
});
