import fc from "fast-check";
import { expect } from "vitest";
import { hour } from "../../../shared/kernel/index.ts";
import { setStock } from "../../support/create-product.ts";
import { merchant } from "../../support/world.ts";
import type { AgentResponse } from "../agent-client.ts";
import {
  completeCheckout,
  idleMs,
  replaceRecord,
  reservedTea,
  shopTerms,
  statusOf,
  type WantedRecord,
} from "./checkout-model.ts";
import {
  type AgentScene,
  advanceClock,
  assertAgentTables,
  assertShown,
  bodyFor,
  circumstancesOf,
  type Tracked,
} from "./checkout-scene.ts";

const createStep = (name: string, run: (scene: AgentScene) => Promise<void>) => ({
  toString: () => name,
  run,
});

export type AgentStep = ReturnType<typeof createStep>;

const buyer = fc.constantFrom(0, 0, 1);

const wanted: fc.Arbitrary<WantedRecord> = fc.record({
  tea: fc.constantFrom(0, 1, 2, 3, 3, 5, 7),
  book: fc.constantFrom(0, 0, 1, 3),
  hasBuyer: fc.constantFrom(true, true, true, true, false),
  delivery: fc.constantFrom(
    ...(["courier", "courier", "courier", "courier", "address", "abroad", "none"] as const),
  ),
  codes: fc.constantFrom([], ["BIG"], ["TEN"], ["BIG"], ["BIG", "TEN"], ["NONE"], ["NONE", "TEN"]),
});

const pathOf = ({ id }: Tracked, action = ""): string => `/checkout-sessions/${id}${action}`;

const newKey = () => ({ "Idempotency-Key": crypto.randomUUID() });

/** The buyer's latest checkout, or a new one when there is none. */
async function currentOf(scene: AgentScene, who: number, first: WantedRecord): Promise<Tracked> {
  return scene.checkouts.current[who] ?? (await createCheckout(scene, who, first));
}

async function createCheckout(
  scene: AgentScene,
  who: number,
  record: WantedRecord,
): Promise<Tracked> {
  const { status, body } = await scene.agent(
    "POST",
    "/checkout-sessions",
    bodyFor(scene, record),
    newKey(),
  );
  expect(status).toBe(201);
  const tracked: Tracked = {
    id: body.id,
    model: {
      ...{ wanted: record, teaPrice: 0, codes: [], isShort: false, revision: 0 },
      ...{ createdAt: Date.now(), changedAt: 0, isCanceled: false, left: null },
      ...{ unpaid: null, sold: null },
    },
    ...{ completion: null, completed: null },
  };
  scene.checkouts.all.push(tracked);
  scene.checkouts.current[who] = tracked;
  replaceRecord(tracked.model, record, circumstancesOf(scene));
  await assertShown(tracked, body);
  return tracked;
}

/** Asserts that a refused change says so and leaves the checkout as it is. */
async function assertClosed(tracked: Tracked, { body }: AgentResponse): Promise<void> {
  expect(body.messages).toContainEqual(expect.objectContaining({ code: "checkout_closed" }));
  await assertShown(tracked, body);
}

const isClosed = ({ model }: Tracked): boolean =>
  ["completed", "canceled"].includes(statusOf(model, Date.now()));

const creations = fc.tuple(buyer, wanted).map(([who, record]) =>
  createStep(`buyer ${who} begins with ${JSON.stringify(record)}`, async (scene) => {
    await createCheckout(scene, who, record);
  }),
);

const replacements = fc.tuple(buyer, wanted).map(([who, record]) =>
  createStep(`buyer ${who} replaces with ${JSON.stringify(record)}`, async (scene) => {
    const tracked = await currentOf(scene, who, record);
    const response = await scene.agent("PUT", pathOf(tracked), bodyFor(scene, record), newKey());
    if (isClosed(tracked)) return assertClosed(tracked, response);
    replaceRecord(tracked.model, record, circumstancesOf(scene));
    await assertShown(tracked, response.body);
  }),
);

const reads = fc.tuple(buyer, wanted).map(([who, record]) =>
  createStep(`buyer ${who} reads`, async (scene) => {
    const tracked = await currentOf(scene, who, record);
    await assertShown(tracked, (await scene.agent("GET", pathOf(tracked))).body);
  }),
);

const cancellations = buyer.map((who) =>
  createStep(`buyer ${who} cancels`, async (scene) => {
    const tracked = scene.checkouts.current[who];
    if (!tracked) return;
    const response = await scene.agent("POST", pathOf(tracked, "/cancel"), undefined, newKey());
    if (isClosed(tracked)) return assertClosed(tracked, response);
    Object.assign(tracked.model, { isCanceled: true, unpaid: null, left: null });
    await assertShown(tracked, response.body);
    await assertAgentTables(scene);
  }),
);

const paymentWith = (token: string) => ({
  payment: {
    instruments: [
      { id: "pi_1", handler_id: "sandbox", type: "card", credential: { type: "token", token } },
    ],
  },
});

async function complete(scene: AgentScene, tracked: Tracked, isAccepted: boolean): Promise<void> {
  const body = paymentWith(isAccepted ? "success_token" : "fail_token");
  const headers = newKey();
  const response = await scene.agent("POST", pathOf(tracked, "/complete"), body, headers);
  expect(response.status).toBe(200);
  const wasCanceled = statusOf(tracked.model, Date.now()) === "canceled";
  if (wasCanceled) return assertClosed(tracked, response);
  completeCheckout(tracked.model, isAccepted, circumstancesOf(scene));
  await assertShown(tracked, response.body);
  tracked.completion = {
    ...{ key: headers["Idempotency-Key"], body, answer: response.body },
    at: Date.now(),
  };
}

const completions = fc
  .record({ who: buyer, isAccepted: fc.boolean(), record: wanted })
  .map(({ who, isAccepted, record }) =>
    createStep(`buyer ${who} completes (accepted: ${isAccepted})`, async (scene) => {
      const ready: WantedRecord = { ...record, hasBuyer: true, delivery: "courier" };
      await complete(scene, await currentOf(scene, who, ready), isAccepted);
      await assertAgentTables(scene);
    }),
  );

const repeats = buyer.map((who) =>
  createStep(`buyer ${who} repeats the last completion`, async (scene) => {
    const tracked = scene.checkouts.current[who];
    if (!tracked?.completion || Date.now() - tracked.completion.at > 23 * hour) return;
    const { key, body, answer } = tracked.completion;
    const response = await scene.agent("POST", pathOf(tracked, "/complete"), body, {
      "Idempotency-Key": key,
    });
    expect(response.body).toEqual(answer);
    await assertAgentTables(scene);
  }),
);

/** Two completions at once, of which one may find the other in progress. */
const twins = buyer.map((who) =>
  createStep(`buyer ${who} completes twice at once`, async (scene) => {
    const tracked = scene.checkouts.current[who];
    if (!tracked) return;
    const { model } = tracked;
    const before = { ...model };
    completeCheckout(model, true, circumstancesOf(scene));
    const isSold = model.sold !== null && before.sold === null;
    Object.assign(model, before);
    if (!isSold) return;
    const run = () =>
      scene.agent("POST", pathOf(tracked, "/complete"), paymentWith("success_token"), newKey());
    const responses = await Promise.all([run(), run()]);
    for (const { body } of responses)
      expect(["completed", "complete_in_progress"]).toContain(body.status);
    completeCheckout(model, true, circumstancesOf(scene));
    await assertShown(tracked, (await scene.agent("GET", pathOf(tracked))).body);
    await assertAgentTables(scene);
  }),
);

const priceChanges = fc.constantFrom(...shopTerms.teaPrices).map((price) =>
  createStep(`the tea costs ${price}`, async ({ shop, tea, model }) => {
    const body = { default_price: (price / 100).toFixed(2) };
    const response = await merchant(shop)("PATCH", `/products/${tea.id}`, { body });
    expect(response.status).toBe(200);
    model.teaPrice = price;
    advanceClock(6_000); // isolates cache the catalogue for 5 s
  }),
);

/** The merchant cannot set a quantity below what orders have reserved. */
const stockChanges = fc.constantFrom(0, 1, 2, 4, 8).map((free) =>
  createStep(`there are ${free} teas left`, async ({ shop, tea, model, checkouts }) => {
    model.onHand = reservedTea(checkouts.all.map((tracked) => tracked.model)) + free;
    await setStock(shop, tea, model.onHand);
  }),
);

const waits = fc.constantFrom(idleMs / 2, idleMs).map((milliseconds) =>
  createStep(`${milliseconds / hour} hours pass`, async () => {
    advanceClock(milliseconds);
  }),
);

const anyStep = fc.oneof(
  { weight: 2, arbitrary: creations },
  { weight: 6, arbitrary: replacements },
  { weight: 2, arbitrary: reads },
  { weight: 1, arbitrary: cancellations },
  { weight: 7, arbitrary: completions },
  { weight: 2, arbitrary: repeats },
  { weight: 1, arbitrary: twins },
  { weight: 3, arbitrary: priceChanges },
  { weight: 2, arbitrary: stockChanges },
  { weight: 1, arbitrary: waits },
);

/** Sequences of calls for two buyers, and of changes of the shop. */
export const agentSequences = fc.array(anyStep, { minLength: 3, maxLength: 20, size: "max" });

/** Runs the steps, and checks each checkout and the tables at the end. */
export async function runAgentSequence(
  scene: AgentScene,
  sequence: readonly AgentStep[],
): Promise<void> {
  for (const { run } of sequence) await run(scene);
  for (const tracked of scene.checkouts.all)
    await assertShown(tracked, (await scene.agent("GET", pathOf(tracked))).body);
  await assertAgentTables(scene);
}
