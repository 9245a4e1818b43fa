import { describe, expect, it, vi } from "vitest";
import { deliverDue, layOutDeliveries } from "../../shared/webhooks/index.ts";
import {
  at,
  start as atSix,
  book,
  claimsOf,
  givenService,
  givenShop,
  had,
  ruleOf,
} from "../bookings/given.ts";
import { due as dueText, paysFrom, start, stateOf } from "../renewals/given.ts";
import { chargesOf, cronAt, givenSubscribed, ordersOf } from "../subscriptions/given.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { cronFor, cronOnly, keepHouse } from "../support/cron.ts";
import { givenSale, piecesOf } from "../support/orders.ts";
import { eventsOf } from "../support/shop-database.ts";
import { givenBusiness, shopper } from "../support/world.ts";
import {
  deliveriesOf,
  failing,
  givenEvents,
  givenReceiver,
  givenSubscription,
  givenShop as givenWebhookShop,
  ok,
  wholeRun,
} from "../webhooks/given.ts";

const minute = 60_000;
const hour = 60 * minute;
const due = Date.parse(dueText);

describe("a clock that jumps back between two runs", () => {
  it("has no renewal made twice", async () => {
    vi.setSystemTime(start);
    const shop = await givenBusiness();
    const subscribed = await givenSubscribed(shop);
    for (const when of [due, due - hour, due, due + minute]) await cronAt(shop, when);
    expect(await ordersOf(shop, subscribed)).toHaveLength(2);
    expect(await chargesOf(shop, subscribed)).toMatchObject([{ charges: 1 }, { charges: 1 }]);
    expect(await stateOf(shop, subscribed)).toMatchObject({ status: "active", cycle: 2 });
  });

  it("has one that was declined tried again no sooner, and counted once", async () => {
    vi.setSystemTime(start);
    const shop = await givenBusiness();
    const subscribed = await givenSubscribed(shop);
    await paysFrom(shop, subscribed, "3");
    for (const when of [due, due - 2 * hour, due + 23 * hour]) await cronAt(shop, when);
    expect(await stateOf(shop, subscribed)).toMatchObject({ status: "past_due", attempts: 1 });
    await cronAt(shop, due + 24 * hour);
    expect(await stateOf(shop, subscribed)).toMatchObject({ status: "past_due", attempts: 2 });
  });

  it("has one whose message is lost made when its time has come again", async () => {
    vi.setSystemTime(start);
    const shop = await givenBusiness();
    const subscribed = await givenSubscribed(shop);
    vi.setSystemTime(due);
    await cronOnly();
    await cronAt(shop, due - hour);
    expect(await ordersOf(shop, subscribed)).toHaveLength(1);
    await cronAt(shop, due + 5 * minute);
    expect(await chargesOf(shop, subscribed)).toMatchObject([{ charges: 1 }, { charges: 1 }]);
  });

  it("gives the stock of an unpaid order back once", async () => {
    vi.setSystemTime(start);
    const shop = await givenBusiness();
    const product = await givenProduct(shop, { inventoryType: "tracked" });
    await givenStock(shop, product, 50);
    await givenSale(shop, product.id, { how: "1" });
    for (const minutes of [30, 5, 31]) {
      vi.setSystemTime(Date.parse(start) + minutes * minute);
      await cronFor(shop);
    }
    expect(await piecesOf(shop, product.id)).toEqual([50, 0]);
    expect((await eventsOf(shop)).filter((type) => type === "order.cancelled")).toHaveLength(1);
  });

  it("leaves a hold its shopper's until its time, and then nobody's", async () => {
    const shop = await givenShop();
    const [ask, other] = [shopper(shop), shopper(shop)];
    const service = await givenService(shop);
    await had(book(ask, service, at(9)));
    vi.setSystemTime(atSix - hour);
    await keepHouse();
    expect(ruleOf(await book(other, service, at(9)))).toEqual([422, "SLOT_UNAVAILABLE"]);
    expect(await claimsOf(shop)).toEqual([["hold", 1, at(9)]]);
    vi.setSystemTime(atSix + 10 * minute);
    await had(book(other, service, at(9)));
    await keepHouse();
    expect(await claimsOf(shop)).toEqual([["hold", 1, at(9)]]);
  });

  it("has a delivery retried at its time after the first attempt, once, and none takes less than no time", async () => {
    const { ctx, clock } = await givenWebhookShop();
    await givenSubscription(ctx);
    await givenEvents(ctx);
    await layOutDeliveries(ctx);
    const first = clock.now;
    const { received, send } = givenReceiver(() => {
      if (received.length > 1) return ok;
      clock.now -= hour;
      return failing;
    });
    for (const now of [first, first - hour, first + minute - 1, first + minute, first + hour]) {
      clock.now = now;
      await deliverDue(ctx, { ...wholeRun(), send });
    }
    expect(received).toHaveLength(2);
    expect(await deliveriesOf(ctx)).toMatchObject([
      {
        status: "delivered",
        attempts: [
          { at: first, durationMs: 0 },
          { at: first + minute, durationMs: 0 },
        ],
      },
    ]);
  });
});
