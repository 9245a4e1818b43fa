import { beforeEach, describe, expect, it, vi } from "vitest";
import { minute, notFound, unavailable } from "../../shared/kernel/index.ts";
import { refusal } from "../business/given.ts";
import { bodyOf, gate, runs, server, withFreshRuns } from "./idempotent-surface.ts";

const writes = [
  { what: "a write", path: "/things" },
  { what: "a write that knows its repeats", path: "/knowing" },
  { what: "a write whose second run would answer anew", path: "/knowing-anew" },
];

type Ask = Awaited<ReturnType<typeof server>>;

const otherBody = { body: '{"name":"b"}' };

withFreshRuns();

describe.each(writes)("$what, sent again with its Idempotency-Key,", ({ path }) => {
  let ask: (asked?: Parameters<Ask>[0]) => ReturnType<Ask>;

  beforeEach(async () => {
    const asked = await server();
    ask = (more = {}) => asked({ path, ...more });
  });

  it("is answered as the first time, byte for byte, and not run again", async () => {
    const first = await ask();
    const second = await ask();
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    expect([first.isReplay, second.isReplay]).toEqual([false, true]);
    expect(second.headers.get("Content-Type")).toBe(first.headers.get("Content-Type"));
    expect(second.headers.get("X-Request-Id")).not.toBe(first.headers.get("X-Request-Id"));
    expect(runs.count).toBe(1);
  });

  it("is answered alike when a rule refused the first", async () => {
    runs.effect = () => {
      throw notFound("thing");
    };
    const first = await ask();
    const second = await ask();
    expect([first.status, second.status, second.isReplay]).toEqual([404, 404, true]);
    expect(second.text).toBe(first.text);
    expect(runs.count).toBe(1);
  });

  it("is 409, not retryable, for another body", async () => {
    await ask();
    const refused = await ask(otherBody);
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

  it.each([
    ["an outage", unavailable("Away."), 503],
    ["a bug", new Error("broken"), 500],
  ])("finds its key left to it after %s, and to no other request", async (_what, error, status) => {
    runs.effect = (run) => {
      if (run === 1) throw error;
    };
    expect((await ask()).status).toBe(status);
    expect((await ask(otherBody)).status).toBe(409);
    const again = await ask();
    expect([again.status, again.isReplay]).toEqual([201, false]);
    expect((await ask()).isReplay).toBe(true);
    expect(runs.count).toBe(2);
  });

  it("finds its key free after a body that is not valid", async () => {
    expect((await ask({ body: '{"name":1}' })).status).toBe(400);
    expect((await ask({ body: "{" })).status).toBe(400);
    expect((await ask()).status).toBe(201);
  });

  it("takes over from a run that died after its lease of 60 seconds, which answers no more", async () => {
    const [dead, second] = [gate(), gate()];
    runs.effect = (run) => (run === 1 ? dead.pass() : second.pass());
    const first = ask();
    await dead.reached;
    vi.setSystemTime(Date.now() + minute - 1);
    expect((await ask()).status).toBe(409);
    vi.setSystemTime(Date.now() + 1);
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
