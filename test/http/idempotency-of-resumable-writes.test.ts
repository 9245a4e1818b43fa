import { beforeEach, describe, expect, it, vi } from "vitest";
import { invalid, notFound, unavailable } from "../../shared/kernel/index.ts";
import { waitUntil } from "../support/sockets.ts";
import {
  createBusinessClient,
  createFaultyShards,
  createGate,
  d1RoundTripsOf,
  handlerRuns,
  resetRunsBeforeEach,
} from "./idempotency-test-api.ts";

type BusinessClient = Awaited<ReturnType<typeof createBusinessClient>>;

/** Lets the handler refuse before its first database call. */
const refuseBeforeDatabase = (refusal: Error) => {
  handlerRuns.before = () => {
    throw refusal;
  };
};

let ask: (call?: Parameters<BusinessClient>[0]) => ReturnType<BusinessClient>;

resetRunsBeforeEach();

beforeEach(async () => {
  const client = await createBusinessClient();
  ask = (call = {}) => client({ path: "/resumable", ...call });
});

describe("a write that can resume", () => {
  it("costs nothing extra the first time and two round trips when it is repeated", async () => {
    await ask({ key: "warm-up" });
    expect(d1RoundTripsOf(await ask())).toBe("1");
    expect(d1RoundTripsOf(await ask())).toBe("2");
  });

  it("stores its refusal before it is sent, for one round trip", async () => {
    await ask({ key: "warm-up" });
    handlerRuns.effect = () => {
      throw notFound("thing");
    };
    expect(d1RoundTripsOf(await ask())).toBe("2");
  });

  it("waits for the first response before it is refused", async () => {
    const wait = scheduler.wait.bind(scheduler);
    // Polls are 20 times as far apart, so that the first run ends before the last poll on a busy
    // machine.
    const longer = vi.spyOn(scheduler, "wait").mockImplementation((ms) => wait(20 * ms));
    const running = createGate();
    handlerRuns.effect = running.pass;
    const first = ask();
    await running.reached;
    const meanwhile = ask();
    await wait(50);
    running.open();
    expect((await meanwhile).text).toBe((await first).text);
    expect((await meanwhile).isReplay).toBe(true);
    expect(handlerRuns.count).toBe(1);
    longer.mockRestore();
  });

  it.each([
    ["a rule", notFound("thing")],
    ["an outage", unavailable("Away.")],
    ["a bug", new Error("broken")],
    ["a value that became invalid", invalid("name", "is gone")],
  ])(
    "returns the first response when %s would now refuse it before the database call",
    async (_what, error) => {
      const first = await ask();
      refuseBeforeDatabase(error);
      const second = await ask();
      expect([second.status, second.isReplay, second.text]).toEqual([201, true, first.text]);
      expect((await ask({ body: '{"name":"b"}' })).status).toBe(409);
    },
  );

  it("replays a refusal that came before the first database call", async () => {
    refuseBeforeDatabase(notFound("thing"));
    const first = await ask();
    handlerRuns.before = () => {};
    const second = await ask();
    expect([second.status, second.isReplay, second.text]).toEqual([404, true, first.text]);
    expect((await ask({ body: '{"name":"b"}' })).status).toBe(409);
    expect(handlerRuns.count).toBe(0);
  });

  it("keeps its key for the same request after an outage before the first database call", async () => {
    refuseBeforeDatabase(unavailable("Away."));
    expect((await ask()).status).toBe(503);
    expect((await ask({ body: '{"name":"b"}' })).status).toBe(409);
    handlerRuns.before = () => {};
    expect((await ask()).status).toBe(201);
  });
});

describe("a resumable write whose second run would respond differently", () => {
  it("stores its response before it is sent, for one round trip", async () => {
    const path = "/resumable-once";
    await ask({ path, key: "warm-up" });
    const first = await ask({ path });
    expect(d1RoundTripsOf(first)).toBe("2");
    const second = await ask({ path });
    expect([d1RoundTripsOf(second), second.isReplay, second.text]).toEqual(["2", true, first.text]);
    expect(handlerRuns.count).toBe(2);
  });
});

describe("a failing database", () => {
  const lost = (at: number, when: "before" | "after") =>
    createFaultyShards({ at, when, how: "answer lost" });

  it.each(["/resumable", "/resumable-once"])(
    "keeps the key of %s for the same request when the response to its claim is lost",
    async (path) => {
      await ask({ path, key: "warm-up" });
      expect((await ask({ path, env: lost(1, "after") })).status).toBe(503);
      expect((await ask({ path, body: '{"name":"b"}' })).status).toBe(409);
      expect((await ask({ path })).status).toBe(201);
      expect((await ask({ path })).isReplay).toBe(true);
      expect(handlerRuns.count).toBe(2);
    },
  );

  it.each([
    ["/things", "before"],
    ["/resumable-once", "before"],
    ["/resumable-once", "after"],
  ] as const)(
    "replays the response of %s when storing it fails %s the write",
    async (path, when) => {
      await ask({ path, key: "warm-up" });
      const first = await ask({ path, env: lost(2, when) });
      expect(first.status).toBe(201);
      let second = first;
      await waitUntil(async () => {
        second = await ask({ path }); // "in progress" until the response is stored
        return second.status !== 409;
      });
      expect([second.status, second.isReplay, second.text]).toEqual([201, true, first.text]);
      expect(handlerRuns.count).toBe(2);
    },
  );
});
