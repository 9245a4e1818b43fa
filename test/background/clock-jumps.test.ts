import { describe, expect, it, vi } from "vitest";
import { hour, minute } from "../../shared/kernel/index.ts";
import { createDeliveries, deliverDue } from "../../shared/webhooks/index.ts";
import {
  addSlotToCart,
  at,
  start as atSix,
  createBookingShop,
  createService,
  listSlotAllocations,
  requireData,
  ruleOf,
} from "../bookings/create-booking.ts";
import {
  firstRenewalTime as dueText,
  loadSubscriptionState,
  setPhoneDigit,
  startTime,
} from "../renewals/renewal-state.ts";
import {
  createSubscription,
  loadCharges,
  loadPeriodOrders,
  runCronAt,
} from "../subscriptions/create-subscription.ts";
import { createOrder, readStockQuantities } from "../support/create-order.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { runCron, runHousekeeping, runJobsUntilIdle } from "../support/cron.ts";
import { listOutboxEventTypes } from "../support/select-rows.ts";
import { createBusiness, shopper } from "../support/world.ts";
import {
  createReceiver,
  createShopWithClock,
  createWebhookSubscription,
  emitEvents,
  failedOutcome,
  listDeliveryRows,
  okOutcome,
  unlimitedRun,
} from "../webhooks/create-webhooks.ts";

const dueAt = Date.parse(dueText);

describe("a clock that jumps back between two runs", () => {
  it("renews a subscription once", async () => {
    vi.setSystemTime(startTime);
    const shop = await createBusiness();
    const subscribed = await createSubscription(shop);
    for (const when of [dueAt, dueAt - hour, dueAt, dueAt + minute]) await runCronAt(shop, when);
    expect(await loadPeriodOrders(shop, subscribed)).toHaveLength(2);
    expect(await loadCharges(shop, subscribed)).toMatchObject([{ charges: 1 }, { charges: 1 }]);
    expect(await loadSubscriptionState(shop, subscribed)).toMatchObject({
      status: "active",
      cycle: 2,
    });
  });

  it("retries a declined renewal no sooner and counts it once", async () => {
    vi.setSystemTime(startTime);
    const shop = await createBusiness();
    const subscribed = await createSubscription(shop);
    await setPhoneDigit(shop, subscribed, "3");
    for (const when of [dueAt, dueAt - 2 * hour, dueAt + 23 * hour]) await runCronAt(shop, when);
    expect(await loadSubscriptionState(shop, subscribed)).toMatchObject({
      status: "past_due",
      attempts: 1,
    });
    await runCronAt(shop, dueAt + 24 * hour);
    expect(await loadSubscriptionState(shop, subscribed)).toMatchObject({
      status: "past_due",
      attempts: 2,
    });
  });

  it("renews after a lost message when its time has come again", async () => {
    vi.setSystemTime(startTime);
    const shop = await createBusiness();
    const subscribed = await createSubscription(shop);
    vi.setSystemTime(dueAt);
    await runCron();
    await runCronAt(shop, dueAt - hour);
    expect(await loadPeriodOrders(shop, subscribed)).toHaveLength(1);
    await runCronAt(shop, dueAt + minute);
    expect(await loadCharges(shop, subscribed)).toMatchObject([{ charges: 1 }, { charges: 1 }]);
  });

  it("releases the stock of an unpaid order once", async () => {
    vi.setSystemTime(startTime);
    const shop = await createBusiness();
    const product = await createProduct(shop, { inventoryType: "tracked" });
    await setStock(shop, product, 50);
    await createOrder(shop, product.id, { payWith: "1" });
    for (const minutes of [30, 5, 31]) {
      vi.setSystemTime(Date.parse(startTime) + minutes * minute);
      await runJobsUntilIdle(shop);
    }
    expect(await readStockQuantities(shop, product.id)).toEqual([50, 0]);
    expect(
      (await listOutboxEventTypes(shop)).filter((type) => type === "order.cancelled"),
    ).toHaveLength(1);
  });

  it("keeps a slot hold until it expires", async () => {
    const shop = await createBookingShop();
    const [ask, other] = [shopper(shop), shopper(shop)];
    const service = await createService(shop);
    await requireData(addSlotToCart(ask, service, at(9)));
    vi.setSystemTime(atSix - hour);
    await runHousekeeping();
    expect(ruleOf(await addSlotToCart(other, service, at(9)))).toEqual([422, "SLOT_UNAVAILABLE"]);
    expect(await listSlotAllocations(shop)).toEqual([["hold", 1, at(9)]]);
    vi.setSystemTime(atSix + 10 * minute);
    await requireData(addSlotToCart(other, service, at(9)));
    await runHousekeeping();
    expect(await listSlotAllocations(shop)).toEqual([["hold", 1, at(9)]]);
  });

  it("retries a webhook delivery once at its time, without a negative duration", async () => {
    const { ctx, clock } = await createShopWithClock();
    await createWebhookSubscription(ctx);
    await emitEvents(ctx);
    await createDeliveries(ctx);
    const first = clock.now;
    const { received, send } = createReceiver(() => {
      if (received.length > 1) return okOutcome;
      clock.now -= hour;
      return failedOutcome;
    });
    for (const now of [first, first - hour, first + minute - 1, first + minute, first + hour]) {
      clock.now = now;
      await deliverDue(ctx, { ...unlimitedRun(), send });
    }
    expect(received).toHaveLength(2);
    expect(await listDeliveryRows(ctx)).toMatchObject([
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
