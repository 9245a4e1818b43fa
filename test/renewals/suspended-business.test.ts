import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  createSubscription,
  loadCharges,
  runCronAt,
  type TestSubscription,
} from "../subscriptions/create-subscription.ts";
import { createBusiness, operator } from "../support/world.ts";
import {
  daysAfter,
  firstRenewalTime,
  loadSubscriptionState,
  setPhoneDigit,
  startTime,
} from "./renewal-state.ts";

let shop: CreatedBusiness;
let subscribed: TestSubscription;

beforeEach(async () => {
  vi.setSystemTime(startTime);
  shop = await createBusiness();
  subscribed = await createSubscription(shop);
});

async function changeStatus(verb: "suspend" | "resume" | "close"): Promise<void> {
  const changed = await operator("POST", `/v1/businesses/${shop.business.id}/${verb}`);
  expect(changed.status).toBe(200);
}

const listChargedCycles = async () =>
  (await loadCharges(shop, subscribed)).map(({ cycle, charges }) => [cycle, charges]);

describe("a renewal of a business that does not sell", () => {
  it.each(["suspend", "close"] as const)(
    "is not charged meanwhile, and once within an hour after a short stop (%s)",
    async (verb) => {
      await changeStatus(verb);
      await runCronAt(shop, firstRenewalTime);
      await runCronAt(shop, daysAfter(firstRenewalTime, 3));
      expect(await listChargedCycles()).toEqual([[1, 1]]);
      await changeStatus("resume");
      await runCronAt(shop, daysAfter(firstRenewalTime, 3) + 3_600_000);
      expect(await listChargedCycles()).toEqual([
        [1, 1],
        [2, 1],
      ]);
    },
  );

  it("charges only the running period after a stop of several periods", async () => {
    await changeStatus("suspend");
    for (const days of [0, 30, 60, 90]) await runCronAt(shop, daysAfter(firstRenewalTime, days));
    await changeStatus("resume");
    await runCronAt(shop, daysAfter(firstRenewalTime, 91));
    expect(await listChargedCycles()).toEqual([
      [1, 1],
      [4, 1],
    ]);
    expect(await loadSubscriptionState(shop, subscribed)).toMatchObject({
      status: "active",
      cycle: 4,
      next_cycle: 5,
    });
  });

  it("forgets a failed payment of a period that ends during the stop", async () => {
    await setPhoneDigit(shop, subscribed, "1");
    await runCronAt(shop, firstRenewalTime);
    expect(await loadSubscriptionState(shop, subscribed)).toMatchObject({
      status: "past_due",
      attempts: 1,
    });
    await changeStatus("suspend");
    for (const days of [1, 3, 40]) await runCronAt(shop, daysAfter(firstRenewalTime, days));
    await setPhoneDigit(shop, subscribed, "0");
    await changeStatus("resume");
    await runCronAt(shop, daysAfter(firstRenewalTime, 41));
    expect(await listChargedCycles()).toEqual([
      [1, 1],
      [3, 1],
    ]);
  });
});
