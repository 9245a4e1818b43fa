import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createBackground } from "../../functions/background/context.ts";
import { sweepEvents } from "../../functions/background/jobs/sweep-events.ts";
import { minute } from "../../shared/kernel/index.ts";
import { createBusiness } from "../support/world.ts";
import {
  createWebhookContext,
  createWebhookSubscription,
  emitEvents,
  listDeliveryRows,
} from "../webhooks/create-webhooks.ts";
import { createBackgroundWorker } from "./create-background-worker.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 20, 12) });
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The responses of a receiver. */
const faults = {
  fine: async () => new Response("thank you"),
  silent: async () => new Response(null, { status: 204 }),
  broken: async () => new Response("oh", { status: 500 }),
  status410: async () => new Response("no more", { status: 410 }),
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
type ReceiverFault = keyof typeof faults;
const successfulFaults: readonly ReceiverFault[] = ["fine", "silent", "endless"];

const receivers = ["https://one.example.com/hook", "https://two.example.com/hook"] as const;

/** A shop with two receivers, a queue that the test consumes, and a Worker that may die. */
async function createScene() {
  const created = await createBusiness();
  const ctx = createWebhookContext(created);
  for (const url of receivers) await createWebhookSubscription(ctx, { url });
  const { id: businessId, shard } = created.business;
  const behaviour: Record<string, ReceiverFault> = {};
  /** How often each receiver accepted each event with a 2xx. */
  const deliveredCounts = new Map<string, number>();
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const fault = behaviour[url] ?? "fine";
    if (successfulFaults.includes(fault)) {
      const key = `${url} ${JSON.parse(String(init.body)).id}`;
      deliveredCounts.set(key, (deliveredCounts.get(key) ?? 0) + 1);
    }
    return faults[fault]();
  });
  const shop = shard === "SHOP_1" ? env.SHOP_1 : env.SHOP_2;
  let batches = Number.POSITIVE_INFINITY;
  const crashingShard = {
    prepare: shop.prepare.bind(shop),
    batch: (statements: D1PreparedStatement[]) => {
      batches -= 1;
      return batches < 0 ? Promise.reject(new Error("the Worker died")) : shop.batch(statements);
    },
  };
  const { consume, sent, bindings } = createBackgroundWorker({ [shard]: crashingShard });
  return {
    ctx,
    behaviour,
    deliveredCounts,
    queue: sent,
    emit: (count: number) => emitEvents(ctx, count),
    /** Sweeps the shard, as cron does. */
    sweep: () => sweepEvents(createBackground(bindings), shard),
    /** Consumes some messages; the Worker dies before the database call with this number. */
    async consume(copies: number, diesAt = Number.POSITIVE_INFINITY) {
      batches = diesAt;
      const wakeups = Array.from({ length: copies }, () => ({ businessId, shard }));
      await consume(...wakeups);
      batches = Number.POSITIVE_INFINITY;
    },
    open: async () =>
      (await listDeliveryRows(ctx)).filter(({ nextAttemptAt }) => nextAttemptAt !== null).length,
  };
}

it("repeats a delivery of the same event when the Worker dies between the POST and the record", async () => {
  const { emit, consume, deliveredCounts, ctx } = await createScene();
  await emit(1);
  await consume(1, 2);
  expect([...deliveredCounts.values()]).toEqual([1, 1]);
  expect(await listDeliveryRows(ctx)).toMatchObject([{ attempts: [] }, { attempts: [] }]);
  vi.setSystemTime(Date.now() + minute);
  await consume(1);
  expect([...deliveredCounts.values()]).toEqual([2, 2]);
  expect(await listDeliveryRows(ctx)).toMatchObject([
    { status: "delivered" },
    { status: "delivered" },
  ]);
});

it.each(["slow", "closing", "broken", "status410", "elsewhere"] as const)(
  "retries a receiver that is %s without delaying the other",
  async (fault) => {
    const { emit, consume, behaviour, deliveredCounts, open } = await createScene();
    behaviour[receivers[0]] = fault;
    await emit(3);
    await consume(1);
    expect(deliveredCounts.size).toBe(3);
    expect(await open()).toBe(3);
    behaviour[receivers[0]] = "fine";
    vi.setSystemTime(Date.now() + minute);
    await consume(1);
    expect(deliveredCounts.size).toBe(6);
    expect(await open()).toBe(0);
  },
);

type DeliveryStep =
  | Readonly<{ do: "emit"; count: number }>
  | Readonly<{ do: "consume"; copies: number; diesAt: number | null }>
  | Readonly<{ do: "lose messages" }>
  | Readonly<{ do: "sweep"; times: number }>
  | Readonly<{ do: "wait"; minutes: number }>
  | Readonly<{ do: "behave"; receiver: 0 | 1; fault: ReceiverFault }>;

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
      fault: fc.constantFrom(...(Object.keys(faults) as ReceiverFault[])),
    }),
  ),
  { minLength: 4, maxLength: 12 },
);

it("loses no event, and repeats only deliveries that a death left unrecorded", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const scene = await createScene();
      const { emitted, deaths } = await runSteps(scene, sequence);
      for (const url of receivers) scene.behaviour[url] = "fine";
      await sweepUntilDone(scene);
      expect(scene.deliveredCounts.size).toBe(emitted * receivers.length);
      expect(Math.max(0, ...scene.deliveredCounts.values())).toBeLessThanOrEqual(1 + deaths);
      const ended = await listDeliveryRows(scene.ctx);
      expect(ended.every(({ status }) => status === "delivered")).toBe(true);
    }),
    { numRuns: 8, seed: 20_261_121 },
  );
});

type DeliveryScene = Awaited<ReturnType<typeof createScene>>;

async function runSteps(scene: DeliveryScene, sequence: readonly DeliveryStep[]) {
  let [emitted, deaths] = [0, 0];
  for (const step of sequence) {
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

/** Sweeps until no delivery is pending; all messages in the queue are lost first. */
async function sweepUntilDone(scene: DeliveryScene): Promise<void> {
  for (let rounds = 0; rounds < 20; rounds += 1) {
    scene.queue.length = 0;
    await scene.sweep(); // also queues the businesses of other tests
    const queuedCount = scene.queue.filter(
      ({ businessId }) => businessId === scene.ctx.business.id,
    ).length;
    if (queuedCount > 0) await scene.consume(queuedCount);
    if (queuedCount === 0 && (await scene.open()) === 0) return;
    vi.setSystemTime(Date.now() + 360 * minute);
  }
  throw new Error("A delivery is still pending.");
}
