import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { UnavailableReason } from "../../shared/payments/index.ts";
import { processDueSubscription } from "../../shared/renewals/index.ts";
import { createSubscription, type TestSubscription } from "../subscriptions/create-subscription.ts";
import { createOrderContext } from "../support/create-order.ts";
import { createBusiness } from "../support/world.ts";
import { firstRenewalTime, loadSubscriptionState, startTime } from "./renewal-state.ts";

let shop: CreatedBusiness;
let subscribed: TestSubscription;

beforeEach(async () => {
  vi.setSystemTime(startTime);
  shop = await createBusiness();
  subscribed = await createSubscription(shop);
});

describe("a renewal that the provider does not charge", () => {
  it.each<readonly [UnavailableReason, object]>([
    ["currency", { status: "past_due", attempts: 1, failure_reason: "The payment was refused." }],
    ["method", { status: "past_due", attempts: 1 }],
    // The business's key is no failure of the customer.
    ["credentials", { status: "active", attempts: 0 }],
  ])(
    "for its %s leaves the subscription as %j, and is charged once later",
    async (reason, state) => {
      vi.setSystemTime(firstRenewalTime);
      const provider = { chargeAgain: async () => ({ type: "unavailable", reason }) as const };
      await processDueSubscription(createOrderContext(shop, { provider }), subscribed.id);
      expect(await loadSubscriptionState(shop, subscribed)).toMatchObject({ ...state, cycle: 1 });
      vi.setSystemTime(Date.parse(firstRenewalTime) + 8 * 86_400_000);
      await processDueSubscription(createOrderContext(shop), subscribed.id);
      expect(await loadSubscriptionState(shop, subscribed)).toMatchObject({
        status: "active",
        cycle: 2,
      });
    },
  );
});
