import { beforeEach, describe, expect, it, vi } from "vitest";
import { invalid, notFound, unavailable } from "../../shared/kernel/index.ts";
import { until } from "../support/sockets.ts";
import { d1Of, faultyShops, gate, runs, server, withFreshRuns } from "./idempotent-surface.ts";

type Ask = Awaited<ReturnType<typeof server>>;

/** Refused before the database is asked. */
const refusedAtOnce = (refusal: Error) => {
  runs.before = () => {
    throw refusal;
  };
};

let ask: (asked?: Parameters<Ask>[0]) => ReturnType<Ask>;

withFreshRuns();

beforeEach(async () => {
  const asked = await server();
  ask = (more = {}) => asked({ path: "/knowing", ...more });
});

describe("a write that knows its repeats", () => {
  it("costs what it costs without a key, and two round trips when it is repeated", async () => {
    await ask({ key: "warm-up" });
    expect(d1Of(await ask())).toBe("1");
    expect(d1Of(await ask())).toBe("2");
  });

  it("has its refusal kept before it is sent, for a round trip", async () => {
    await ask({ key: "warm-up" });
    runs.effect = () => {
      throw notFound("thing");
    };
    expect(d1Of(await ask())).toBe("2");
  });

  it("waits a while for the first's answer before it is refused", async () => {
    const wait = scheduler.wait.bind(scheduler);
    // Its looks are seconds apart, so that the first is done before the last on however busy a machine.
    const longer = vi.spyOn(scheduler, "wait").mockImplementation((ms) => wait(20 * ms));
    const running = gate();
    runs.effect = running.pass;
    const first = ask();
    await running.reached;
    const meanwhile = ask();
    await wait(50);
    running.open();
    expect((await meanwhile).text).toBe((await first).text);
    expect((await meanwhile).isReplay).toBe(true);
    expect(runs.count).toBe(1);
    longer.mockRestore();
  });

  it.each([
    ["a rule", notFound("thing")],
    ["an outage", unavailable("Away.")],
    ["a bug", new Error("broken")],
    ["what is not valid any more", invalid("name", "is gone")],
  ])(
    "is answered as the first time where %s would refuse it by now, at once",
    async (_what, error) => {
      const first = await ask();
      refusedAtOnce(error);
      const second = await ask();
      expect([second.status, second.isReplay, second.text]).toEqual([201, true, first.text]);
      expect((await ask({ body: '{"name":"b"}' })).status).toBe(409);
    },
  );

  it("is answered alike, too, when a rule refused the first before it asked its database", async () => {
    refusedAtOnce(notFound("thing"));
    const first = await ask();
    runs.before = () => {};
    const second = await ask();
    expect([second.status, second.isReplay, second.text]).toEqual([404, true, first.text]);
    expect((await ask({ body: '{"name":"b"}' })).status).toBe(409);
    expect(runs.count).toBe(0);
  });

  it("leaves its key to the same request, too, after an outage before it asked its database", async () => {
    refusedAtOnce(unavailable("Away."));
    expect((await ask()).status).toBe(503);
    expect((await ask({ body: '{"name":"b"}' })).status).toBe(409);
    runs.before = () => {};
    expect((await ask()).status).toBe(201);
  });
});

describe("a write whose second run would answer anew", () => {
  it("has its answer kept before it is sent, for a round trip", async () => {
    const path = "/knowing-anew";
    await ask({ path, key: "warm-up" });
    const first = await ask({ path });
    expect(d1Of(first)).toBe("2");
    const second = await ask({ path });
    expect([d1Of(second), second.isReplay, second.text]).toEqual(["2", true, first.text]);
    expect(runs.count).toBe(2);
  });
});

describe("a database that fails", () => {
  const lost = (at: number, when: "before" | "after") =>
    faultyShops({ at, when, how: "answer lost" });

  it.each(["/knowing", "/knowing-anew"])(
    "leaves the key of %s to the same request when the claim's answer is lost",
    async (path) => {
      await ask({ path, key: "warm-up" });
      expect((await ask({ path, env: lost(1, "after") })).status).toBe(503);
      expect((await ask({ path, body: '{"name":"b"}' })).status).toBe(409);
      expect((await ask({ path })).status).toBe(201);
      expect((await ask({ path })).isReplay).toBe(true);
      expect(runs.count).toBe(2);
    },
  );

  it.each([
    ["/things", "before"],
    ["/knowing-anew", "before"],
    ["/knowing-anew", "after"],
  ] as const)("is told once more what %s answered, when it was lost %s", async (path, when) => {
    await ask({ path, key: "warm-up" });
    const first = await ask({ path, env: lost(2, when) });
    expect(first.status).toBe(201);
    let second = first;
    await until(async () => {
      second = await ask({ path }); // "in progress" until it is kept
      return second.status !== 409;
    });
    expect([second.status, second.isReplay, second.text]).toEqual([201, true, first.text]);
    expect(runs.count).toBe(2);
  });
});
