import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day, minute } from "../../shared/kernel/index.ts";
import type { ChargeResult } from "../../shared/payments/index.ts";
import { processDueSubscription } from "../../shared/renewals/index.ts";
import {
  createSubscription,
  loadPeriodOrders,
  runCronAt,
  type TestSubscription,
} from "../subscriptions/create-subscription.ts";
import { createOrderContext } from "../support/create-order.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { type ApiResponse, createBusiness, merchant } from "../support/world.ts";
import { firstRenewalTime as dueText, startTime } from "./renewal-state.ts";

const due = Date.parse(dueText);

let shop: CreatedBusiness;
let subscribed: TestSubscription;

beforeEach(async () => {
  vi.setSystemTime(startTime);
  shop = await createBusiness();
  subscribed = await createSubscription(shop);
  vi.setSystemTime(due);
});

/** The changes that happen while the provider is called. */
const changes = {
  "a pause": () => subscribed.ask("POST", `/subscriptions/${subscribed.id}/pause`, { body: {} }),
  "the merchant's cancel": () =>
    merchant(shop)("POST", `/subscriptions/${subscribed.id}/cancel`, { body: { when: "now" } }),
} satisfies Record<string, () => Promise<ApiResponse>>;

type CustomerChange = keyof typeof changes;

/** Whether the provider captured the payment, and what it responded. */
const behaviours = {
  takes: { isTaken: true, says: null },
  refuses: { isTaken: false, says: { type: "declined", reason: "No." } },
  "takes, without an answer": { isTaken: true, says: { type: "no_answer" } },
  "does not take, without an answer": { isTaken: false, says: { type: "no_answer" } },
} satisfies Record<string, { isTaken: boolean; says: ChargeResult | null }>;

type ProviderBehaviour = keyof typeof behaviours;

/** Runs the renewal and makes the change during its charge. */
async function runRenewalDuring(
  change: CustomerChange,
  given: ProviderBehaviour,
  meanwhile = async () => {},
): Promise<void> {
  const sandbox = createOrderContext(shop).providers.byName("sandbox");
  const { isTaken, says } = behaviours[given];
  const ctx = createOrderContext(shop, {
    provider: {
      chargeAgain: async (request) => {
        expect((await changes[change]()).status).toBe(200);
        await meanwhile();
        const taken = isTaken ? await sandbox?.chargeAgain?.(request) : undefined;
        return says ?? taken ?? { type: "no_answer" };
      },
    },
  });
  await processDueSubscription(ctx, subscribed.id).catch((error: unknown) => {
    expect(error).toMatchObject({ code: "CONFLICT" }); // the job retries later
  });
}

/** The state after the jobs have run for two more periods. */
async function loadFinalState() {
  for (const later of [0, 6 * minute, day, 32 * day, 60 * day]) await runCronAt(shop, due + later);
  const [subscription] = await selectRows(
    shop,
    "select status, attempts, cycle from subscriptions where id = ?",
    subscribed.id,
  );
  const [charges] = await selectRows(
    shop,
    `select count(*) as n from sandbox_charges where status = 'captured' and order_id in
      (select order_id from subscription_invoices where subscription_id = ? and cycle > 1)`,
    subscribed.id,
  );
  const refunds = await selectRows(
    shop,
    "select status from refunds where business_id = ?",
    shop.business.id,
  );
  const [, ...orders] = await loadPeriodOrders(shop, subscribed);
  return {
    subscription: subscription && Object.values(subscription),
    orders: orders.map(({ invoice, status, payment_status }) => [invoice, status, payment_status]),
    charges: charges?.n,
    refunds: refunds.map(({ status }) => status),
    events: (await listOutboxEventTypes(shop)).filter((type) => type.startsWith("subscription.")),
  };
}

const paidRenewal = { orders: [["paid", "confirmed", "captured"]], charges: 1, refunds: [] };
const cancelledUnpaid = { orders: [["void", "cancelled", "cancelled"]], charges: 0, refunds: [] };
const paused = { subscription: ["paused", 0, 1], events: [] };
const pausedLater = { subscription: ["paused", 0, 2], events: ["subscription.renewed"] };
const cancelled = { events: ["subscription.cancelled"] };

describe("a change while a renewal is charged", () => {
  it.each<[CustomerChange, ProviderBehaviour, object]>([
    ["a pause", "takes", { ...paidRenewal, ...pausedLater }],
    ["a pause", "takes, without an answer", { ...paidRenewal, ...pausedLater }],
    ["a pause", "refuses", { ...cancelledUnpaid, ...paused }],
    ["a pause", "does not take, without an answer", { ...cancelledUnpaid, ...paused }],
    ["the merchant's cancel", "takes", { ...paidRenewal, ...cancelled }],
    ["the merchant's cancel", "takes, without an answer", { ...paidRenewal, ...cancelled }],
    ["the merchant's cancel", "refuses", { ...cancelledUnpaid, ...cancelled }],
    [
      "the merchant's cancel",
      "does not take, without an answer",
      { ...cancelledUnpaid, ...cancelled },
    ],
  ])(
    "%s while the provider %s: one order, one charge at most, none afterwards",
    async (change, given, outcome) => {
      await runRenewalDuring(change, given);
      expect(await loadFinalState()).toMatchObject(outcome);
    },
  );

  it.each(Object.keys(changes) as CustomerChange[])(
    "%s with a run that cancels the order before the capture: the payment is refunded",
    async (change) => {
      await runRenewalDuring(change, "takes", async () => {
        await processDueSubscription(createOrderContext(shop), subscribed.id);
      });
      expect(await loadFinalState()).toMatchObject({
        orders: [["void", "cancelled", "refunded"]],
        refunds: ["refunded"],
      });
    },
  );
});
