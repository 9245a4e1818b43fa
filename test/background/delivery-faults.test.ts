import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { backgroundOf } from "../../functions/background/context.ts";
import { sweepEvents } from "../../functions/background/jobs/sweep-events.ts";
import { givenBusiness } from "../support/world.ts";
import {
  deliveriesOf,
  givenEvents,
  givenSubscription,
  webhookContextOf,
} from "../webhooks/given.ts";
import { givenBackground } from "./queue.ts";

const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 20, 12) });
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** How a receiver behaves. */
const faults = {
  fine: async () => new Response("thank you"),
  silent: async () => new Response(null, { status: 204 }),
  broken: async () => new Response("oh", { status: 500 }),
  gone: async () => new Response("no more", { status: 410 }),
  elsewhere: async () =>
    new Response(null, { status: 302, headers: { Location: "http://[::1]/" } }),
  closing: () => Promise.reject(new Error("connection reset")),
  slow: () => Promise.reject(new DOMException("too slow", "TimeoutError")),
  endless: async () =>
    new Response(
      new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(1_024)),
      }),
    ),
} as const;
type Fault = keyof typeof faults;
const arrives: readonly Fault[] = ["fine", "silent", "endless"];

const receivers = ["https://one.example.com/hook", "https://two.example.com/hook"] as const;

/** A shop with two receivers, a queue that is the test's to work off, and a Worker that may die. */
async function givenScene() {
  const created = await givenBusiness();
  const ctx = webhookContextOf(created);
  for (const url of receivers) await givenSubscription(ctx, { url });
  const { id: businessId, shard } = created.business;
  const behaviour: Record<string, Fault> = {};
  /** How often each receiver took each event with a 2xx. */
  const taken = new Map<string, number>();
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const fault = behaviour[url] ?? "fine";
    if (arrives.includes(fault)) {
      const key = `${url} ${JSON.parse(String(init.body)).id}`;
      taken.set(key, (taken.get(key) ?? 0) + 1);
    }
    return faults[fault]();
  });
  const shop = shard === "SHOP_1" ? env.SHOP_1 : env.SHOP_2;
  let batches = Number.POSITIVE_INFINITY;
  const dying = {
    prepare: shop.prepare.bind(shop),
    batch: (statements: D1PreparedStatement[]) => {
      batches -= 1;
      return batches < 0 ? Promise.reject(new Error("the Worker died")) : shop.batch(statements);
    },
  };
  const { consume, sent, bindings } = givenBackground({ [shard]: dying });
  return {
    ctx,
    behaviour,
    taken,
    queue: sent,
    emit: (count: number) => givenEvents(ctx, count),
    /** Cron's sweep of the shard. */
    sweep: () => sweepEvents(backgroundOf(bindings), shard),
    /** Works off some messages; the Worker dies before its database call of that number. */
    async consume(copies: number, diesAt = Number.POSITIVE_INFINITY) {
      batches = diesAt;
      const nudges = Array.from({ length: copies }, () => ({ businessId, shard }));
      await consume(...nudges);
      batches = Number.POSITIVE_INFINITY;
    },
    open: async () =>
      (await deliveriesOf(ctx)).filter(({ nextAttemptAt }) => nextAttemptAt !== null).length,
  };
}

it("makes a delivery again, with the same event, when the Worker dies after the POST and before the record", async () => {
  const { emit, consume, taken, ctx } = await givenScene();
  await emit(1);
  await consume(1, 2);
  expect([...taken.values()]).toEqual([1, 1]);
  expect(await deliveriesOf(ctx)).toMatchObject([{ attempts: [] }, { attempts: [] }]);
  vi.setSystemTime(Date.now() + minute);
  await consume(1);
  expect([...taken.values()]).toEqual([2, 2]);
  expect(await deliveriesOf(ctx)).toMatchObject([{ status: "delivered" }, { status: "delivered" }]);
});

it.each(["slow", "closing", "broken", "gone", "elsewhere"] as const)(
  "retries with a receiver that is %s, while the other has everything at once",
  async (fault) => {
    const { emit, consume, behaviour, taken, open } = await givenScene();
    behaviour[receivers[0]] = fault;
    await emit(3);
    await consume(1);
    expect(taken.size).toBe(3);
    expect(await open()).toBe(3);
    behaviour[receivers[0]] = "fine";
    vi.setSystemTime(Date.now() + minute);
    await consume(1);
    expect(taken.size).toBe(6);
    expect(await open()).toBe(0);
  },
);

type Step =
  | Readonly<{ do: "emit"; count: number }>
  | Readonly<{ do: "consume"; copies: number; diesAt: number | null }>
  | Readonly<{ do: "lose messages" }>
  | Readonly<{ do: "sweep"; times: number }>
  | Readonly<{ do: "wait"; minutes: number }>
  | Readonly<{ do: "behave"; receiver: 0 | 1; fault: Fault }>;

const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant("emit" as const), count: fc.integer({ min: 1, max: 4 }) }),
    fc.record({
      do: fc.constant("consume" as const),
      copies: fc.integer({ min: 1, max: 3 }),
      diesAt: fc.option(fc.integer({ min: 0, max: 4 })),
    }),
    fc.record({ do: fc.constant("lose messages" as const) }),
    fc.record({ do: fc.constant("sweep" as const), times: fc.integer({ min: 1, max: 2 }) }),
    fc.record({
      do: fc.constant("wait" as const),
      minutes: fc.constantFrom(1, 4, 10, 45, 300),
    }),
    fc.record({
      do: fc.constant("behave" as const),
      receiver: fc.constantFrom(0 as const, 1 as const),
      fault: fc.constantFrom(...(Object.keys(faults) as Fault[])),
    }),
  ),
  { minLength: 4, maxLength: 12 },
);

it("loses nothing, and repeats nothing but what a death left unrecorded, whatever happens on the way", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (walk) => {
      const scene = await givenScene();
      const { emitted, deaths } = await walked(scene, walk);
      for (const url of receivers) scene.behaviour[url] = "fine";
      await drained(scene);
      expect(scene.taken.size).toBe(emitted * receivers.length);
      expect(Math.max(0, ...scene.taken.values())).toBeLessThanOrEqual(1 + deaths);
      const ended = await deliveriesOf(scene.ctx);
      expect(ended.every(({ status }) => status === "delivered")).toBe(true);
    }),
    { numRuns: 8, seed: 20_261_121 },
  );
});

type Scene = Awaited<ReturnType<typeof givenScene>>;

async function walked(scene: Scene, walk: readonly Step[]) {
  let [emitted, deaths] = [0, 0];
  for (const step of walk) {
    switch (step.do) {
      case "emit":
        await scene.emit(step.count);
        emitted += step.count;
        break;
      case "consume":
        await scene.consume(step.copies, step.diesAt ?? undefined);
        if (step.diesAt !== null) deaths += 1;
        break;
      case "lose messages":
        scene.queue.length = 0;
        break;
      case "sweep":
        await Promise.all(Array.from({ length: step.times }, () => scene.sweep()));
        break;
      case "wait":
        vi.setSystemTime(Date.now() + step.minutes * minute);
        break;
      case "behave":
        scene.behaviour[receivers[step.receiver]] = step.fault;
    }
  }
  return { emitted, deaths };
}

/** Nothing but cron's sweeps from here on: every message that was under way is lost. */
async function drained(scene: Scene): Promise<void> {
  for (let rounds = 0; rounds < 20; rounds += 1) {
    scene.queue.length = 0;
    await scene.sweep(); // it tells of the other tests' businesses too
    const told = scene.queue.filter(
      ({ businessId }) => businessId === scene.ctx.business.id,
    ).length;
    if (told > 0) await scene.consume(told);
    if (told === 0 && (await scene.open()) === 0) return;
    vi.setSystemTime(Date.now() + 360 * minute);
  }
  throw new Error("Something is still on its way.");
}
