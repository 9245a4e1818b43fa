import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { invalid, minute, notFound, unavailable } from "../../shared/kernel/index.ts";
import { refusal } from "../business/given.ts";
import { bodyOf, d1Of, faultyShops, gate, runs, server } from "./idempotent-surface.ts";

type Ask = Awaited<ReturnType<typeof server>>;

/** Refused before the database is asked. */
const refusedAtOnce = (refusal: Error) => {
  runs.before = () => {
    throw refusal;
  };
};

let ask: (asked?: Parameters<Ask>[0]) => ReturnType<Ask>;

beforeEach(async () => {
  runs.count = 0;
  runs.effect = () => {};
  runs.before = () => {};
  vi.useFakeTimers({ toFake: ["Date"] });
  const asked = await server();
  ask = (more = {}) => asked({ path: "/knowing", ...more });
});
afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("a write that knows its repeats", () => {
  it("is answered as the first time, byte for byte, and not run again", async () => {
    const first = await ask();
    const second = await ask();
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    expect([first.isReplay, second.isReplay]).toEqual([false, true]);
    expect(second.headers.get("Content-Type")).toBe(first.headers.get("Content-Type"));
    expect(runs.count).toBe(1);
  });

  it("costs what it costs without a key, and two round trips when it is repeated", async () => {
    await ask({ key: "warm-up" });
    expect(d1Of(await ask())).toBe("1");
    expect(d1Of(await ask())).toBe("2");
  });

  it("is answered alike when a rule refused the first", async () => {
    await ask({ key: "warm-up" });
    runs.effect = () => {
      throw notFound("thing");
    };
    const first = await ask();
    const second = await ask();
    expect(d1Of(first)).toBe("2"); // it is kept before it is sent
    expect([first.status, second.status, second.isReplay]).toEqual([404, 404, true]);
    expect(second.text).toBe(first.text);
    expect(runs.count).toBe(2);
  });

  it("is 409, not retryable, for another body", async () => {
    await ask();
    const refused = await ask({ body: '{"name":"b"}' });
    expect(refused.status).toBe(409);
    expect(bodyOf(refused)).toMatchObject(refusal("CONFLICT", { retryable: false }));
    expect(runs.count).toBe(1);
  });

  it("is 409, retryable, while the first request runs, and replays after it", async () => {
    const running = gate();
    runs.effect = running.pass;
    const first = ask();
    await running.reached;
    const meanwhile = await ask();
    running.open();
    expect(meanwhile.status).toBe(409);
    expect(bodyOf(meanwhile)).toMatchObject(refusal("CONFLICT", { retryable: true }));
    expect((await first).status).toBe(201);
    expect((await ask()).isReplay).toBe(true);
    expect(runs.count).toBe(1);
  });

  it("runs once when many requests come at the same moment", async () => {
    await ask({ key: "warm-up" });
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask()));
    expect(runs.count).toBe(2);
    expect(answers.filter(({ status, isReplay }) => status === 201 && !isReplay)).toHaveLength(1);
    expect(answers.every(({ status }) => status === 409 || status === 201)).toBe(true);
  });

  it("leaves its key to the same request after an outage, and to no other", async () => {
    runs.effect = (run) => {
      if (run === 1) throw unavailable("Away.");
    };
    expect((await ask()).status).toBe(503);
    expect((await ask({ body: '{"name":"b"}' })).status).toBe(409);
    const again = await ask();
    expect([again.status, again.isReplay]).toEqual([201, false]);
    expect((await ask()).isReplay).toBe(true);
    expect(runs.count).toBe(2);
  });

  it("leaves its key free after a body that is not valid", async () => {
    expect((await ask({ body: '{"name":1}' })).status).toBe(400);
    expect((await ask()).status).toBe(201);
  });

  it("waits a while for the first's answer before it is refused", async () => {
    const running = gate();
    runs.effect = running.pass;
    const first = ask();
    await running.reached;
    const meanwhile = ask();
    await scheduler.wait(50);
    running.open();
    expect((await meanwhile).text).toBe((await first).text);
    expect((await meanwhile).isReplay).toBe(true);
    expect(runs.count).toBe(1);
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

  it("is taken over from a run that died after its lease of 60 seconds, which answers no more", async () => {
    const [dead, second] = [gate(), gate()];
    runs.effect = (run) => (run === 1 ? dead.pass() : second.pass());
    const first = ask();
    await dead.reached;
    later(minute - 1);
    expect((await ask()).status).toBe(409);
    later(1);
    const takenOver = ask();
    await second.reached;
    dead.open();
    expect(bodyOf(await first)).toMatchObject({ data: { run: 1 } });
    expect((await ask()).status).toBe(409);
    second.open();
    expect(bodyOf(await takenOver)).toMatchObject({ data: { run: 2 } });
    expect(bodyOf(await ask())).toMatchObject({ data: { run: 2 } });
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
    await scheduler.wait(400);
    const second = await ask({ path });
    expect([second.status, second.isReplay, second.text]).toEqual([201, true, first.text]);
    expect(runs.count).toBe(2);
  });
});
