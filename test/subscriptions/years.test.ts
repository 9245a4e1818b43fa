import fc from "fast-check";
import { expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { Refusal } from "../../shared/kernel/index.ts";
import {
  type Asker,
  cancelSubscription,
  currentPeriod,
  isCancelling,
  nextChargeAt,
  pauseSubscription,
  resumeSubscription,
  skipRenewal,
  statusOf,
  subscriptionRepo,
} from "../../shared/subscriptions/index.ts";
import { paysFrom } from "../renewals/given.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness } from "../support/world.ts";
import { chargesOf, cronAt, givenSubscribed, ordersOf, type Subscribed } from "./given.ts";
import { type Model, modelOf, type Terms } from "./model.ts";

// MODEL_RUNS=500 for a campaign; seed and path as a failure prints them.
const {
  MODEL_RUNS: runs = "3",
  MODEL_SEED: seed = "20260801",
  MODEL_PATH: path,
}: Record<string, string | undefined> = import.meta.env;

/** A campaign lives through more of them, in so many steps that most walks come to their end. */
const [years, length] =
  import.meta.env.MODEL_RUNS === undefined
    ? [1, { minLength: 20, maxLength: 50 }]
    : [3, { minLength: 55, maxLength: 80 }];
const dayMs = 86_400_000;
const noLimit = 3_600_000;
const business: Asker = { type: "business" };

type Scene = Readonly<{ shop: CreatedBusiness; subscribed: Subscribed; model: Model }>;

/** What happens after so many days, and how many runs of the job there are at once. */
type Step = Readonly<{
  days: number;
  does: "nothing" | "pause" | "resume" | "skip" | "skip all" | "cancel" | "end";
  pays: boolean;
  runs: 0 | 1 | 2;
}>;

const steps: fc.Arbitrary<Step> = fc.record({
  days: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 40 }) },
    { weight: 1, arbitrary: fc.integer({ min: 41, max: 120 }) },
    { weight: 2, arbitrary: fc.constantFrom(0, 0.25, 0.5) },
  ),
  does: fc.oneof(
    { weight: 24, arbitrary: fc.constant("nothing" as const) },
    { weight: 6, arbitrary: fc.constantFrom("pause" as const, "resume" as const) },
    { weight: 6, arbitrary: fc.constant("resume" as const) },
    { weight: 6, arbitrary: fc.constant("skip" as const) },
    { weight: 1, arbitrary: fc.constantFrom("cancel" as const, "end" as const) },
    { weight: 1, arbitrary: fc.constant("skip all" as const) },
  ),
  pays: fc.oneof(
    { weight: 4, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
  runs: fc.constantFrom(0, 1, 1, 1, 2),
});

const terms: fc.Arbitrary<Terms> = fc.record({
  startedAt: fc
    .constantFrom(
      "2027-12-31T23:30:00Z",
      "2028-01-30T09:00:00Z",
      "2028-01-31T09:00:00Z",
      "2028-02-29T00:00:00Z",
      "2030-10-15T12:34:56Z",
      "2027-12-26T01:30:00Z", // a month later and another, and Berlin has no such time
    )
    .map((start) => Date.parse(start)),
  timezone: fc.constantFrom("Africa/Accra", "Europe/Berlin", "America/New_York"),
  interval: fc.constantFrom("week", "month", "month", "month", "year"),
  intervalCount: fc.constantFrom(1, 1, 2, 3),
  trialDays: fc.constantFrom(0, 0, 14),
});

it(
  "years of a subscription are what the contract says, whatever happens and however often the job runs",
  async () => {
    await fc.assert(fc.asyncProperty(terms, fc.array(steps, { ...length, size: "max" }), live), {
      seed: Number(seed),
      numRuns: Number(runs),
      ...(path !== undefined && { path }),
    });
  },
  noLimit,
);

async function live(of: Terms, sequence: readonly Step[]): Promise<void> {
  const scene = await opened(of);
  const until = of.startedAt + years * 366 * dayMs;
  let now = of.startedAt;
  for (const { days, does, pays, runs } of sequence) {
    now += days * dayMs;
    if (now > until) break;
    vi.setSystemTime(now);
    await act(scene, does, now);
    if (runs > 0) {
      await letPay(scene, pays);
      await Promise.all(Array.from({ length: runs }, () => cronAt(scene.shop, now)));
      scene.model.run(now, pays);
    }
    await compare(scene, now);
  }
  await balance(scene);
}

async function opened(of: Terms): Promise<Scene> {
  vi.setSystemTime(of.startedAt);
  const shop = await givenBusiness({ timezone: of.timezone });
  const { interval, intervalCount, trialDays } = of;
  const subscribed = await givenSubscribed(shop, { plan: { interval, intervalCount, trialDays } });
  return { shop, subscribed, model: modelOf(of) };
}

/** The sandbox declines numbers that end in 3. */
const letPay = ({ shop, subscribed }: Scene, pays: boolean) =>
  paysFrom(shop, subscribed, pays ? "0" : "3");

async function act(scene: Scene, does: Step["does"], now: number): Promise<void> {
  if (does === "nothing") return;
  if (does === "skip all") {
    for (let times = 1; times <= 14; times += 1) await act(scene, "skip", now);
    return;
  }
  const ctx = contextFor(scene.shop, { type: "merchant", keyId: "key_test" });
  const { id } = scene.subscribed;
  const wishes = {
    pause: () => pauseSubscription(ctx, id, business),
    resume: () => resumeSubscription(ctx, id, business),
    skip: () => skipRenewal(ctx, id, { by: business, skipKey: null }),
    cancel: () => cancelSubscription(ctx, id, { by: business, reason: null, isAtOnce: false }),
    end: () => cancelSubscription(ctx, id, { by: business, reason: null, isAtOnce: true }),
  };
  const isAllowed = await wishes[does]().then(
    () => true,
    (error) => {
      if (error instanceof Refusal && error.context?.rule === "INVALID_STATE") return false;
      throw error;
    },
  );
  expect({ does, isAllowed }).toEqual({ does, isAllowed: scene.model[does](now) });
}

async function compare({ shop, subscribed, model }: Scene, now: number): Promise<void> {
  const { subscription } = await subscriptionRepo(contextFor(shop)).get(subscribed.id);
  const invoices = await ordersOf(shop, subscribed);
  expect({
    status: statusOf(subscription, now),
    isCancelling: isCancelling(subscription, now),
    ...currentPeriod(subscription, now),
    nextChargeAt: nextChargeAt(subscription),
    paid: invoices.filter(({ invoice }) => invoice === "paid").map(({ cycle }) => cycle),
  }).toEqual(model.seen(now));
}

/** In the end each paid period has one order and one charge, and nothing else was charged for. */
async function balance({ shop, subscribed, model }: Scene): Promise<void> {
  const { paid } = model.seen(Date.now());
  const charged = await chargesOf(shop, subscribed);
  expect(charged).toEqual(paid.map((cycle) => ({ cycle, charges: 1, total: 1_400 })));
  const taken = await rowsOf(
    shop,
    `select charge.reference from sandbox_charges as charge join orders on orders.id = charge.order_id
      where orders.business_id = ? and charge.status = 'captured'`,
    shop.business.id,
  );
  expect(taken).toHaveLength(paid.length);
  const events = await eventsOf(shop);
  const told = (type: string) => events.filter((one) => one === type).length;
  expect({
    renewed: told("subscription.renewed"),
    cancelled: told("subscription.cancelled"),
    completed: told("payment.completed"),
  }).toEqual({
    renewed: paid.length - 1,
    cancelled: model.isTold() ? 1 : 0,
    completed: paid.length,
  });
}
