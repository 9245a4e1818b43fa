import { beforeEach, describe, expect, it, vi } from "vitest";
import { minute, notFound, unavailable } from "../../shared/kernel/index.ts";
import { refusal } from "../support/responses.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import {
  bodyOf,
  createBusinessClient,
  createGate,
  createServerClient,
  handlerRuns,
  resetRunsBeforeEach,
} from "./idempotency-test-api.ts";

const writes = [
  { what: "a write", path: "/things" },
  { what: "a resumable write", path: "/resumable" },
  { what: "a resumable write whose second run would respond differently", path: "/resumable-once" },
];

type BusinessClient = Awaited<ReturnType<typeof createBusinessClient>>;

const otherBody = { body: '{"name":"b"}' };

resetRunsBeforeEach();

describe.each(writes)("$what repeated with its Idempotency-Key", ({ path }) => {
  let ask: (call?: Parameters<BusinessClient>[0]) => ReturnType<BusinessClient>;

  beforeEach(async () => {
    const client = await createBusinessClient();
    ask = (call = {}) => client({ path, ...call });
  });

  it("returns the first response byte for byte and does not run again", async () => {
    const first = await ask();
    const second = await ask();
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    expect([first.isReplay, second.isReplay]).toEqual([false, true]);
    expect(second.headers.get("Content-Type")).toBe(first.headers.get("Content-Type"));
    expect(second.headers.get("X-Request-Id")).not.toBe(first.headers.get("X-Request-Id"));
    expect(handlerRuns.count).toBe(1);
  });

  it("replays a refusal", async () => {
    handlerRuns.effect = () => {
      throw notFound("thing");
    };
    const first = await ask();
    const second = await ask();
    expect([first.status, second.status, second.isReplay]).toEqual([404, 404, true]);
    expect(second.text).toBe(first.text);
    expect(handlerRuns.count).toBe(1);
  });

  it("is 409 and not retryable with another body", async () => {
    await ask();
    const refused = await ask(otherBody);
    expect(refused.status).toBe(409);
    expect(bodyOf(refused)).toMatchObject(refusal("CONFLICT", { retryable: false }));
    expect(handlerRuns.count).toBe(1);
  });

  it("is 409 and retryable while the first request runs, and replays after it", async () => {
    const running = createGate();
    handlerRuns.effect = running.pass;
    const first = ask();
    await running.reached;
    const meanwhile = await ask();
    running.open();
    expect(meanwhile.status).toBe(409);
    expect(bodyOf(meanwhile)).toMatchObject(refusal("CONFLICT", { retryable: true }));
    expect((await first).status).toBe(201);
    expect((await ask()).isReplay).toBe(true);
    expect(handlerRuns.count).toBe(1);
  });

  it("runs once when many requests arrive at the same time", async () => {
    await ask({ key: "warm-up" });
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask()));
    expect(handlerRuns.count).toBe(2);
    expect(answers.filter(({ status, isReplay }) => status === 201 && !isReplay)).toHaveLength(1);
    expect(answers.every(({ status }) => status === 409 || status === 201)).toBe(true);
  });

  it.each([
    ["an outage", unavailable("Away."), 503],
    ["a bug", new Error("broken"), 500],
  ])("may use its key again after %s, and no other request may", async (_what, error, status) => {
    handlerRuns.effect = (run) => {
      if (run === 1) throw error;
    };
    expect((await ask()).status).toBe(status);
    expect((await ask(otherBody)).status).toBe(409);
    const again = await ask();
    expect([again.status, again.isReplay]).toEqual([201, false]);
    expect((await ask()).isReplay).toBe(true);
    expect(handlerRuns.count).toBe(2);
  });

  it("may use its key again after an invalid body", async () => {
    expect((await ask({ body: '{"name":1}' })).status).toBe(400);
    expect((await ask({ body: "{" })).status).toBe(400);
    expect((await ask()).status).toBe(201);
  });

  it("takes over from a crashed run after its lease of 60 seconds; the late response is not stored", async () => {
    const [dead, second] = [createGate(), createGate()];
    handlerRuns.effect = (run) => (run === 1 ? dead.pass() : second.pass());
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

describe("a run that another one has taken over", () => {
  it.each([
    { when: "while the other one runs", isOtherDone: false },
    { when: "after the other one has responded", isOtherDone: true },
  ])("commits nothing $when", async ({ isOtherDone }) => {
    const shop = await createBusiness();
    const ask = createServerClient(shop.keys.secret);
    const [slow, other] = [createGate(), createGate()];
    handlerRuns.effect = (run) => (run === 1 ? slow.pass() : other.pass());
    const overtaken = ask({ path: "/audited" });
    await slow.reached;
    vi.setSystemTime(Date.now() + minute);
    const takenOver = ask({ path: "/audited" });
    await other.reached;
    if (isOtherDone) {
      other.open();
      await takenOver;
    }
    slow.open();
    const refused = await overtaken;
    expect(refused.status).toBe(409);
    expect(bodyOf(refused)).toMatchObject(refusal("CONFLICT", { retryable: true }));
    other.open();
    expect(bodyOf(await takenOver)).toMatchObject({ data: { run: 2 } });
    const entries = await selectRows(
      shop,
      "select entity from audit_entries where business_id = ? and action = 'test.run'",
      shop.business.id,
    );
    expect(entries).toEqual([{ entity: "run 2" }]);
  });
});
