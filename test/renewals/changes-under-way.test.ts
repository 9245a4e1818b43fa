import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { ChargeResult } from "../../shared/payments/index.ts";
import { lookAfterSubscription } from "../../shared/renewals/index.ts";
import { cronAt, givenSubscribed, ordersOf, type Subscribed } from "../subscriptions/given.ts";
import { orderContextFor } from "../support/orders.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { type Answer, givenBusiness, merchant } from "../support/world.ts";
import { due as dueText, start } from "./given.ts";

const due = Date.parse(dueText);
const minute = 60_000;
const day = 86_400_000;

let shop: CreatedBusiness;
let subscribed: Subscribed;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await givenBusiness();
  subscribed = await givenSubscribed(shop);
  vi.setSystemTime(due);
});

/** What somebody does at the moment at which the provider is asked. */
const changes = {
  "a pause": () => subscribed.ask("POST", `/subscriptions/${subscribed.id}/pause`, { body: {} }),
  "the merchant's cancel": () =>
    merchant(shop)("POST", `/subscriptions/${subscribed.id}/cancel`, { body: { when: "now" } }),
} satisfies Record<string, () => Promise<Answer>>;

type Change = keyof typeof changes;

/** Whether the provider took the money, and what it said. */
const answers = {
  takes: { isTaken: true, says: null },
  refuses: { isTaken: false, says: { type: "declined", reason: "No." } },
  "takes, without an answer": { isTaken: true, says: { type: "no_answer" } },
  "does not take, without an answer": { isTaken: false, says: { type: "no_answer" } },
} satisfies Record<string, { isTaken: boolean; says: ChargeResult | null }>;

type Given = keyof typeof answers;

/** The renewal's run, in the middle of whose charge something happens. */
async function renewing(change: Change, given: Given, meanwhile = async () => {}): Promise<void> {
  const sandbox = orderContextFor(shop).providerFor("mobile_money");
  const { isTaken, says } = answers[given];
  const ctx = orderContextFor(shop, {
    over: {
      chargeAgain: async (request) => {
        expect((await changes[change]()).status).toBe(200);
        await meanwhile();
        const taken = isTaken ? await sandbox?.chargeAgain?.(request) : undefined;
        return says ?? taken ?? { type: "no_answer" };
      },
    },
  });
  await lookAfterSubscription(ctx, subscribed.id).catch((error: unknown) => {
    expect(error).toMatchObject({ code: "CONFLICT" }); // what the job waits out
  });
}

/** How everything stands once the jobs have had all the time of two more periods. */
async function inTheEnd() {
  for (const later of [0, 6 * minute, day, 32 * day, 60 * day]) await cronAt(shop, due + later);
  const [subscription] = await rowsOf(
    shop,
    "select status, attempts, cycle from subscriptions where id = ?",
    subscribed.id,
  );
  const [charges] = await rowsOf(
    shop,
    `select count(*) as n from sandbox_charges where status = 'captured' and order_id in
      (select order_id from subscription_invoices where subscription_id = ? and cycle > 1)`,
    subscribed.id,
  );
  const refunds = await rowsOf(
    shop,
    "select status from refunds where business_id = ?",
    shop.business.id,
  );
  const [, ...orders] = await ordersOf(shop, subscribed);
  return {
    subscription: subscription && Object.values(subscription),
    orders: orders.map(({ invoice, status, payment_status }) => [invoice, status, payment_status]),
    charges: charges?.n,
    refunds: refunds.map(({ status }) => status),
    told: (await eventsOf(shop)).filter((type) => type.startsWith("subscription.")),
  };
}

const paid = { orders: [["paid", "confirmed", "captured"]], charges: 1, refunds: [] };
const givenUp = { orders: [["void", "cancelled", "cancelled"]], charges: 0, refunds: [] };
const paused = { subscription: ["paused", 0, 1], told: [] };
const pausedLater = { subscription: ["paused", 0, 2], told: ["subscription.renewed"] };
const cancelled = { told: ["subscription.cancelled"] };

describe("a change while a renewal is charged for", () => {
  it.each<[Change, Given, object]>([
    ["a pause", "takes", { ...paid, ...pausedLater }],
    ["a pause", "takes, without an answer", { ...paid, ...pausedLater }],
    ["a pause", "refuses", { ...givenUp, ...paused }],
    ["a pause", "does not take, without an answer", { ...givenUp, ...paused }],
    ["the merchant's cancel", "takes", { ...paid, ...cancelled }],
    ["the merchant's cancel", "takes, without an answer", { ...paid, ...cancelled }],
    ["the merchant's cancel", "refuses", { ...givenUp, ...cancelled }],
    ["the merchant's cancel", "does not take, without an answer", { ...givenUp, ...cancelled }],
  ])(
    "%s, where the provider %s: one order, no second charge, and none after it",
    async (change, given, outcome) => {
      await renewing(change, given);
      expect(await inTheEnd()).toMatchObject(outcome);
    },
  );

  it.each(Object.keys(changes) as Change[])(
    "%s, and a run that gives the order up before the money is there: the money goes back",
    async (change) => {
      await renewing(change, "takes", async () => {
        await lookAfterSubscription(orderContextFor(shop), subscribed.id);
      });
      expect(await inTheEnd()).toMatchObject({
        orders: [["void", "cancelled", "refunded"]],
        refunds: ["refunded"],
      });
    },
  );
});
