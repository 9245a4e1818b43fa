import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { PaymentProvider } from "../../shared/payments/index.ts";
import { lookAfterSubscription } from "../../shared/renewals/index.ts";
import {
  chargesOf,
  cronAt,
  detailOf,
  givenSubscribed,
  loggedInAgain,
  ordersOf,
  type Subscribed,
} from "../subscriptions/given.ts";
import { orderContextFor } from "../support/orders.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { givenBusiness } from "../support/world.ts";
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
});

async function stateOf() {
  const [row] = await rowsOf(
    shop,
    "select status, attempts, due_at, failure_reason from subscriptions where id = ?",
    subscribed.id,
  );
  return { ...row, dueAt: Number(row?.due_at) };
}

type Over = Partial<PaymentProvider>;

/** A provider that took the first charge it was asked for, says nothing of it, and counts what it is asked. */
function silentProvider() {
  const asked: string[] = [];
  const taking = orderContextFor(shop).providerFor("mobile_money");
  const over: Over = {
    verify: async () => {
      asked.push("verify");
      return { type: "no_answer" };
    },
    chargeAgain: async (request) => {
      asked.push("charge");
      await taking?.chargeAgain?.(request);
      return { type: "no_answer" };
    },
  };
  return { asked, over };
}

/** Looks whenever it is due, up to an instant; the times, in minutes from the renewal's, and whether anybody was told. */
async function lookUntil(end: number, over: Over) {
  const looks: { at: number; said: string }[] = [];
  for (;;) {
    const { dueAt } = await stateOf();
    if (dueAt === 0 || dueAt > end) return looks;
    vi.setSystemTime(dueAt);
    const said = await lookAfterSubscription(orderContextFor(shop, { over }), subscribed.id);
    looks.push({ at: (dueAt - due) / minute, said });
    expect(looks.length).toBeLessThan(100);
  }
}

describe("a provider that never answers a renewal", () => {
  it("is asked ever more seldom, and after a day the try counts as failed", async () => {
    const { asked, over } = silentProvider();
    const looks = await lookUntil(due + 2 * day - 1, over);
    expect(looks.map(({ at }) => at)).toEqual([0, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 1440]);
    expect(looks.map(({ said }) => said)).toEqual([...Array(10).fill("done"), "silent"]);
    expect(asked).toEqual(["charge", ...Array(10).fill("verify")]);
    expect(await stateOf()).toMatchObject({
      status: "past_due",
      attempts: 1,
      failure_reason: "The payment provider did not answer.",
    });
    await loggedInAgain(shop, subscribed);
    expect((await detailOf(subscribed)).next_invoice).not.toBeNull();
  });

  it("ends it after the tries that dunning has; its order waits, and is asked about once a day", async () => {
    const { asked, over } = silentProvider();
    await lookUntil(due + 20 * day, over);
    expect(await stateOf()).toMatchObject({ status: "cancelled", attempts: 4 });
    expect(asked.filter((what) => what === "charge")).toHaveLength(1);
    const before = asked.length;
    const looks = await lookUntil(due + 25 * day, over);
    expect(asked.length - before).toBe(5);
    expect(new Set(looks.map(({ said }) => said))).toEqual(new Set(["silent"]));
    expect((await ordersOf(shop, subscribed)).at(-1)).toMatchObject({ invoice: "open" });
    const ends = (await eventsOf(shop)).filter((type) => type.startsWith("subscription."));
    expect(ends).toEqual(["subscription.cancelled"]);
  });

  it.each([
    [1 * day, "active", "subscription.renewed"],
    [20 * day, "cancelled", "subscription.cancelled"],
  ])(
    "and says after %i ms that the money came: it is booked, and charged once",
    async (after, status, event) => {
      await lookUntil(due + after, silentProvider().over);
      const { dueAt } = await stateOf();
      await cronAt(shop, dueAt);
      expect(await stateOf()).toMatchObject({ status });
      expect((await ordersOf(shop, subscribed)).at(1)).toMatchObject({
        cycle: 2,
        invoice: "paid",
        payment_status: "captured",
      });
      expect((await chargesOf(shop, subscribed)).at(1)).toMatchObject({ cycle: 2, charges: 1 });
      expect((await eventsOf(shop)).filter((type) => type.startsWith("subscription."))).toContain(
        event,
      );
    },
  );

  it("is asked at once, and afresh, when the subscription is paused while it is silent", async () => {
    const { over } = silentProvider();
    await lookUntil(due + 12 * 60 * minute, over);
    const now = due + 13 * 60 * minute;
    vi.setSystemTime(now);
    await subscribed.ask("POST", `/subscriptions/${subscribed.id}/pause`);
    const looks = await lookUntil(now + 30 * minute, over);
    expect(looks.map(({ at }) => at - 13 * 60)).toEqual([0, 5, 10, 20]);
    expect((await ordersOf(shop, subscribed)).at(-1)).toMatchObject({ invoice: "open" });
  });

  it("never lets the next period be charged for while one is unknown", async () => {
    const { asked, over } = silentProvider();
    await lookUntil(due + 3 * day, over);
    await subscribed.ask("POST", `/subscriptions/${subscribed.id}/resume`);
    await lookUntil(due + 40 * day, over);
    expect(asked.filter((what) => what === "charge")).toHaveLength(1);
    expect(await ordersOf(shop, subscribed)).toHaveLength(2);
  });
});
