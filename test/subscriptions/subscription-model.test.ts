import fc from "fast-check";
import { expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day, Refusal } from "../../shared/kernel/index.ts";
import {
  cancelSubscription,
  currentPeriod,
  isCancelling,
  nextChargeAt,
  pauseSubscription,
  resumeSubscription,
  type SubscriptionRequester,
  skipRenewal,
  statusOf,
  subscriptionRepo,
} from "../../shared/subscriptions/index.ts";
import { setPhoneDigit } from "../renewals/renewal-state.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness } from "../support/world.ts";
import {
  createSubscription,
  loadCharges,
  loadPeriodOrders,
  runCronAt,
  type TestSubscription,
} from "./create-subscription.ts";
import { createModel, type ModelTerms, type SubscriptionModel } from "./subscription-model.ts";

// MODEL_RUNS=500 runs more sequences; MODEL_SEED and MODEL_PATH repeat a printed failure.
const {
  MODEL_RUNS: runs = "3",
  MODEL_SEED: seed = "20260801",
  MODEL_PATH: path,
}: Record<string, string | undefined> = import.meta.env;

/** Long runs cover more years, with enough steps for most sequences to reach the end. */
const [years, length] =
  import.meta.env.MODEL_RUNS === undefined
    ? [1, { minLength: 20, maxLength: 50 }]
    : [3, { minLength: 55, maxLength: 80 }];
const noLimit = 3_600_000;
const business: SubscriptionRequester = { type: "business" };

type ModelScene = Readonly<{
  shop: CreatedBusiness;
  subscribed: TestSubscription;
  model: SubscriptionModel;
}>;

/** An action after a number of days, and the number of concurrent job runs. */
type ModelStep = Readonly<{
  days: number;
  does: "nothing" | "pause" | "resume" | "skip" | "skip all" | "cancel" | "end";
  pays: boolean;
  runs: 0 | 1 | 2;
}>;

const steps: fc.Arbitrary<ModelStep> = fc.record({
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

const terms: fc.Arbitrary<ModelTerms> = fc.record({
  startedAt: fc
    .constantFrom(
      "2027-12-31T23:30:00Z",
      "2028-01-30T09:00:00Z",
      "2028-01-31T09:00:00Z",
      "2028-02-29T00:00:00Z",
      "2030-10-15T12:34:56Z",
      "2027-12-26T01:30:00Z", // two months later Berlin has no such local time
    )
    .map((start) => Date.parse(start)),
  timezone: fc.constantFrom("Africa/Accra", "Europe/Berlin", "America/New_York"),
  interval: fc.constantFrom("week", "month", "month", "month", "year"),
  intervalCount: fc.constantFrom(1, 1, 2, 3),
  trialDays: fc.constantFrom(0, 0, 14),
});

it(
  "a subscription matches its model over years of random actions and job runs",
  async () => {
    await fc.assert(
      fc.asyncProperty(terms, fc.array(steps, { ...length, size: "max" }), runSteps),
      {
        seed: Number(seed),
        numRuns: Number(runs),
        ...(path !== undefined && { path }),
      },
    );
  },
  noLimit,
);

async function runSteps(startTerms: ModelTerms, sequence: readonly ModelStep[]): Promise<void> {
  const scene = await createScene(startTerms);
  const endsAt = startTerms.startedAt + years * 366 * day;
  let now = startTerms.startedAt;
  for (const { days, does, pays, runs } of sequence) {
    now += days * day;
    if (now > endsAt) break;
    vi.setSystemTime(now);
    await applyAction(scene, does, now);
    if (runs > 0) {
      await setPaymentResult(scene, pays);
      await Promise.all(Array.from({ length: runs }, () => runCronAt(scene.shop, now)));
      scene.model.run(now, pays);
    }
    await expectSameAsModel(scene, now);
  }
  await expectChargedOnce(scene, startTerms);
}

async function createScene(startTerms: ModelTerms): Promise<ModelScene> {
  vi.setSystemTime(startTerms.startedAt);
  const shop = await createBusiness({ timezone: startTerms.timezone });
  const { interval, intervalCount, trialDays } = startTerms;
  const subscribed = await createSubscription(shop, {
    plan: { interval, intervalCount, trialDays },
  });
  return { shop, subscribed, model: createModel(startTerms) };
}

/** The sandbox declines numbers that end in 3. */
const setPaymentResult = ({ shop, subscribed }: ModelScene, pays: boolean) =>
  setPhoneDigit(shop, subscribed, pays ? "0" : "3");

async function applyAction(scene: ModelScene, does: ModelStep["does"], now: number): Promise<void> {
  if (does === "nothing") return;
  if (does === "skip all") {
    for (let times = 1; times <= 14; times += 1) await applyAction(scene, "skip", now);
    return;
  }
  const ctx = contextFor(scene.shop, { type: "merchant", id: "key_test" });
  const { id } = scene.subscribed;
  const actions = {
    pause: () => pauseSubscription(ctx, id, business),
    resume: () => resumeSubscription(ctx, id, business),
    skip: () => skipRenewal(ctx, id, { requester: business, skipKey: null }),
    cancel: () =>
      cancelSubscription(ctx, id, { requester: business, reason: null, isImmediate: false }),
    end: () =>
      cancelSubscription(ctx, id, { requester: business, reason: null, isImmediate: true }),
  };
  const isAllowed = await actions[does]().then(
    () => true,
    (error) => {
      if (error instanceof Refusal && error.context?.rule === "INVALID_STATE") return false;
      throw error;
    },
  );
  expect({ does, isAllowed }).toEqual({ does, isAllowed: scene.model[does](now) });
}

async function expectSameAsModel(
  { shop, subscribed, model }: ModelScene,
  now: number,
): Promise<void> {
  const { subscription } = await subscriptionRepo(contextFor(shop)).get(subscribed.id);
  const invoices = await loadPeriodOrders(shop, subscribed);
  expect({
    status: statusOf(subscription, now),
    isCancelling: isCancelling(subscription, now),
    ...currentPeriod(subscription, now),
    nextChargeAt: nextChargeAt(subscription),
    paid: invoices.filter(({ invoice }) => invoice === "paid").map(({ cycle }) => cycle),
  }).toEqual(model.view(now));
}

/** Each paid period but a trial has one order and one charge, and nothing else was charged. */
async function expectChargedOnce(
  { shop, subscribed, model }: ModelScene,
  { trialDays }: ModelTerms,
): Promise<void> {
  const { paid } = model.view(Date.now());
  const costly = paid.filter((cycle) => trialDays === 0 || cycle > 1);
  const charged = await loadCharges(shop, subscribed);
  expect(charged).toEqual(costly.map((cycle) => ({ cycle, charges: 1, total: 1_400 })));
  const taken = await selectRows(
    shop,
    `select charge.reference from sandbox_charges as charge join orders on orders.id = charge.order_id
      where orders.business_id = ? and charge.status = 'captured'`,
    shop.business.id,
  );
  expect(taken).toHaveLength(costly.length);
  const events = await listOutboxEventTypes(shop);
  const countEvents = (type: string) => events.filter((one) => one === type).length;
  expect({
    renewed: countEvents("subscription.renewed"),
    cancelled: countEvents("subscription.cancelled"),
    completed: countEvents("payment.completed"),
  }).toEqual({
    renewed: paid.length - 1,
    cancelled: model.hasEndedEvent() ? 1 : 0,
    completed: paid.length,
  });
}
