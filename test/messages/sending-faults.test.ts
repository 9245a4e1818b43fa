import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { minute } from "../../shared/kernel/index.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { runAllJobs } from "../support/cron.ts";
import { Crash, crashAtEffect, neverCrash } from "../support/faults.ts";
import { createBusiness, type TestBusiness } from "../support/world.ts";
import {
  listMessageRows,
  providerSettings,
  queueMessagesOf,
  sendMessagesOf,
  stubMessageProviders,
} from "./create-messages.ts";

let now = Date.UTC(2026, 11, 1, 12);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now });
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function wait(ms: number): void {
  now += ms;
  vi.setSystemTime(now);
}

/** Lets every call of a database and of a provider pass through `effect`. */
function interceptEffects() {
  const state = { effect: neverCrash, isDead: false };
  const pass = async <T>(call: () => Promise<T>): Promise<T> => {
    if (state.isDead) throw new Crash();
    try {
      return await state.effect(call);
    } catch (error) {
      state.isDead = error instanceof Crash;
      throw error;
    }
  };
  let prototype = env.SHOP_1.withSession();
  while (!Object.hasOwn(prototype, "_sendOrThrow")) prototype = Object.getPrototypeOf(prototype);
  const session = prototype as unknown as {
    _sendOrThrow: (...args: unknown[]) => Promise<unknown>;
  }; // safe: just found
  const send = session._sendOrThrow;
  vi.spyOn(session, "_sendOrThrow").mockImplementation(function (this: unknown, ...args) {
    return pass(() => send.apply(this, args));
  });
  return { state, pass };
}

async function createOrderTo(shop: TestBusiness, productId: string, contact: object) {
  await createOrder(shop as Parameters<typeof createOrder>[0], productId, {
    ...{ payWith: "cash", fields: { customer: { name: "Ama", ...contact } } },
  });
  await queueMessagesOf(shop);
}

const effects = ["claim", "business", "facts", "provider", "outcome"] as const;
/** The provider took the message, and nothing says so: an SMS provider cannot know the repeat. */
const unknownOutcomes = ["provider, after", "outcome, before"];

it("sends each message once after a crash at any point, or twice where only SMS cannot know", async () => {
  const { emails, texts } = stubMessageProviders();
  const provider = fetch;
  const shop = await createBusiness({ name: "Corner Books" });
  const { id } = await createProduct(shop);
  const { state, pass } = interceptEffects();
  vi.stubGlobal("fetch", (...args: Parameters<typeof fetch>) => pass(() => provider(...args)));
  const sent: Record<string, number[]> = {};
  const expected: Record<string, number[]> = {};
  for (const [index, name] of effects.entries())
    for (const when of ["before", "after"] as const) {
      const counts: number[] = [];
      for (const [contact, arrived] of [
        [{ email: "ama@example.com" }, emails],
        [{ phone: "0241234567" }, texts],
      ] as const) {
        await createOrderTo(shop, id, contact);
        arrived.length = 0;
        state.effect = crashAtEffect(index + 1, when);
        await sendMessagesOf(shop).catch(() => {});
        expect(state.isDead, `${name}, ${when}`).toBe(true);
        Object.assign(state, { effect: neverCrash, isDead: false });
        wait(2 * minute);
        await sendMessagesOf(shop);
        wait(2 * minute);
        await sendMessagesOf(shop);
        counts.push(arrived.length);
      }
      sent[`${name}, ${when}`] = counts;
      expected[`${name}, ${when}`] = [1, unknownOutcomes.includes(`${name}, ${when}`) ? 2 : 1];
    }
  expect(sent).toEqual(expected);
  const rows = await listMessageRows(shop);
  expect(rows.every(({ status }) => status === "sent")).toBe(true);
});

it("stores an outcome again after a lost connection, so that an SMS is sent once", async () => {
  const { texts } = stubMessageProviders();
  const shop = await createBusiness();
  const { id } = await createProduct(shop);
  await createOrderTo(shop, id, { phone: "0241234567" });
  const { state } = interceptEffects();
  const ofOutcome = effects.filter((name) => name !== "provider").indexOf("outcome") + 1;
  let calls = 0;
  state.effect = async (call) => {
    calls += 1;
    if (calls === ofOutcome) throw new Error("D1_ERROR: Network connection lost.");
    return call();
  };
  await sendMessagesOf(shop);
  expect(calls).toBe(ofOutcome + 1);
  expect(texts).toHaveLength(1);
  expect(await listMessageRows(shop)).toMatchObject([{ status: "sent", attempts: 1 }]);
});

const lost = () => Promise.reject(new Error("connection reset"));
const down = (status: number) => async () => new Response("", { status });
/** What a provider answers first, whether it took the message, and how many SMS that leads to. */
const answers = {
  "does not connect": { answer: lost, isTaken: false, texts: 1 },
  "drops the connection after it took it": { answer: lost, isTaken: true, texts: 2 },
  "times out": {
    ...{ answer: () => Promise.reject(new DOMException("slow", "TimeoutError")), isTaken: true },
    texts: 2,
  },
  "answers 429": { answer: down(429), isTaken: false, texts: 1 },
  "answers 500": { answer: down(500), isTaken: false, texts: 1 },
  "answers 500 although it took it": { answer: down(500), isTaken: true, texts: 2 },
  "answers what nobody understands": {
    ...{ answer: async () => new Response("<html>"), isTaken: true, texts: 2 },
  },
};

it("sends each e-mail once for every answer of its provider, with runs beside each other", async () => {
  const { emails, texts } = stubMessageProviders();
  const provider = fetch;
  const shop = await createBusiness({ name: "Corner Books" });
  const { id } = await createProduct(shop);
  for (const [name, { answer, isTaken, texts: expected }] of Object.entries(answers)) {
    await createOrderTo(shop, id, { email: "ama@example.com", phone: "0241234567" });
    for (const arrived of [emails, texts]) arrived.length = 0;
    vi.stubGlobal("fetch", async (...args: Parameters<typeof fetch>) => {
      if (isTaken) await provider(...args);
      return answer();
    });
    const sweep = () => runAllJobs({ ...env, ...providerSettings });
    await Promise.all([sendMessagesOf(shop), sendMessagesOf(shop), sweep(), sweep()]);
    vi.stubGlobal("fetch", provider);
    wait(2 * minute);
    await Promise.all([sendMessagesOf(shop), sweep(), sendMessagesOf(shop)]);
    expect([name, emails.length, texts.length]).toEqual([name, 1, expected]);
  }
  const rows = await listMessageRows(shop);
  expect(rows.map(({ status, attempts }) => [status, attempts])).toEqual(
    rows.map(() => ["sent", 2]),
  );
});
