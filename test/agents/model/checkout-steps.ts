import { expect } from "vitest";
import { hour } from "../../../shared/kernel/index.ts";
import { setStock } from "../../support/create-product.ts";
import { merchant } from "../../support/world.ts";
import type { AgentResponse } from "../agent-client.ts";
import {
  completeCheckout,
  replaceRecord,
  reservedTea,
  type shopTerms,
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

/** A step on the latest checkout of a buyer; nothing happens while there is none. */
const createCheckoutStep = (
  who: number,
  name: string,
  run: (scene: AgentScene, tracked: Tracked) => Promise<void>,
): AgentStep =>
  createStep(`buyer ${who} ${name}`, async (scene) => {
    const tracked = scene.checkouts.current[who];
    if (tracked) await run(scene, tracked);
  });

const pathOf = ({ id }: Tracked, action = ""): string => `/checkout-sessions/${id}${action}`;

const newKey = () => ({ "Idempotency-Key": crypto.randomUUID() });

/** Asserts that a refused change says so and leaves the checkout as it is. */
async function assertClosed(tracked: Tracked, { body }: AgentResponse): Promise<void> {
  expect(body.messages).toContainEqual(expect.objectContaining({ code: "checkout_closed" }));
  await assertShown(tracked, body);
}

const isClosed = ({ model }: Tracked): boolean =>
  ["completed", "canceled"].includes(statusOf(model, Date.now()));

export const create = (who: number, record: WantedRecord): AgentStep =>
  createStep(`buyer ${who} creates ${JSON.stringify(record)}`, async (scene) => {
    const request = bodyFor(scene, record);
    const { status, body } = await scene.agent("POST", "/checkout-sessions", request, newKey());
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
  });

export const replace = (who: number, record: WantedRecord): AgentStep =>
  createCheckoutStep(who, `replaces ${JSON.stringify(record)}`, async (scene, tracked) => {
    const response = await scene.agent("PUT", pathOf(tracked), bodyFor(scene, record), newKey());
    if (isClosed(tracked)) return assertClosed(tracked, response);
    replaceRecord(tracked.model, record, circumstancesOf(scene));
    await assertShown(tracked, response.body);
  });

const assertRead = async ({ agent }: AgentScene, tracked: Tracked): Promise<void> =>
  assertShown(tracked, (await agent("GET", pathOf(tracked))).body);

export const read = (who: number): AgentStep => createCheckoutStep(who, "reads", assertRead);

export const cancel = (who: number): AgentStep =>
  createCheckoutStep(who, "cancels", async (scene, tracked) => {
    const response = await scene.agent("POST", pathOf(tracked, "/cancel"), undefined, newKey());
    if (isClosed(tracked)) return assertClosed(tracked, response);
    Object.assign(tracked.model, { isCanceled: true, unpaid: null, left: null });
    await assertShown(tracked, response.body);
    await assertAgentTables(scene);
  });

const paymentWith = (token: string) => ({
  payment: {
    instruments: [
      { id: "pi_1", handler_id: "sandbox", type: "card", credential: { type: "token", token } },
    ],
  },
});

export const complete = (who: number, isAccepted: boolean): AgentStep =>
  createCheckoutStep(who, `completes (accepted: ${isAccepted})`, async (scene, tracked) => {
    const body = paymentWith(isAccepted ? "success_token" : "fail_token");
    const headers = newKey();
    const response = await scene.agent("POST", pathOf(tracked, "/complete"), body, headers);
    if (statusOf(tracked.model, Date.now()) === "canceled") return assertClosed(tracked, response);
    completeCheckout(tracked.model, isAccepted, circumstancesOf(scene));
    await assertShown(tracked, response.body);
    const key = headers["Idempotency-Key"];
    tracked.completion = { key, body, answer: response.body, at: Date.now() };
    await assertAgentTables(scene);
  });

/** Responses are stored for 24 hours. */
export const repeatCompletion = (who: number): AgentStep =>
  createCheckoutStep(who, "repeats the last completion", async (scene, tracked) => {
    if (!tracked.completion || Date.now() - tracked.completion.at > 23 * hour) return;
    const { key, body, answer } = tracked.completion;
    const path = pathOf(tracked, "/complete");
    const response = await scene.agent("POST", path, body, { "Idempotency-Key": key });
    expect(response.body).toEqual(answer);
    await assertAgentTables(scene);
  });

/** Completes a checkout twice at once, when that leads to its order. */
export const completeTwice = (who: number): AgentStep =>
  createCheckoutStep(who, "completes twice at once", async (scene, tracked) => {
    const after = { ...tracked.model };
    const circumstances = circumstancesOf(scene);
    const checkouts = circumstances.checkouts.map((one) => (one === tracked.model ? after : one));
    completeCheckout(after, true, { ...circumstances, checkouts });
    if (after.sold === tracked.model.sold) return;
    const run = () =>
      scene.agent("POST", pathOf(tracked, "/complete"), paymentWith("success_token"), newKey());
    for (const { body } of await Promise.all([run(), run()]))
      expect(["completed", "complete_in_progress"]).toContain(body.status);
    Object.assign(tracked.model, after);
    await assertRead(scene, tracked);
    await assertAgentTables(scene);
  });

export const changePrice = (price: (typeof shopTerms.teaPrices)[number]): AgentStep =>
  createStep(`the tea costs ${price}`, async ({ shop, tea, model }) => {
    const body = { default_price: (price / 100).toFixed(2) };
    const response = await merchant(shop)("PATCH", `/products/${tea.id}`, { body });
    expect(response.status).toBe(200);
    model.teaPrice = price;
    advanceClock(6_000); // isolates cache the catalogue for 5 s
  });

/** The merchant cannot set a quantity below what orders have reserved. */
export const changeStock = (free: number): AgentStep =>
  createStep(`there are ${free} teas left`, async ({ shop, tea, model, checkouts }) => {
    model.onHand = reservedTea(checkouts.all.map((tracked) => tracked.model)) + free;
    await setStock(shop, tea, model.onHand);
  });

export const wait = (hours: number): AgentStep =>
  createStep(`${hours} hours pass`, async () => {
    advanceClock(hours * hour);
  });

/** Runs the steps, and checks each checkout and the tables at the end. */
export async function runAgentSequence(
  scene: AgentScene,
  sequence: readonly AgentStep[],
): Promise<void> {
  for (const { run } of sequence) await run(scene);
  for (const tracked of scene.checkouts.all) await assertRead(scene, tracked);
  await assertAgentTables(scene);
}
