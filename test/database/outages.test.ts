import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { countObjectCall } from "../../functions/http/context.ts";
import { createMeter, openDb, outageRefusal, shardsOf } from "../../shared/database/index.ts";
import { findRefusal } from "../../shared/kernel/index.ts";
import { createBusiness, merchant } from "../support/world.ts";

afterEach(() => vi.restoreAllMocks());

/** The texts of https://developers.cloudflare.com/d1/observability/debug-d1/, and older ones. */
const temporaryTexts = [
  "D1 DB reset because its code was updated.",
  "Internal error while starting up D1 DB storage caused object to be reset.",
  "Network connection lost.",
  "Internal error in D1 DB storage caused object to be reset.",
  "Cannot resolve D1 DB due to transient issue on remote node.",
  "Can't read from request stream because client disconnected.",
  "D1 DB storage operation exceeded timeout which caused object to be reset.",
  "D1 DB is overloaded. Requests queued for too long.",
  "D1 DB is overloaded. Too many requests queued.",
  "D1 DB's isolate exceeded its memory limit and was reset.",
  "D1 DB exceeded its CPU time limit and was reset.",
  "database is locked: SQLITE_BUSY",
];

const fullTexts = [
  "Exceeded maximum DB size",
  "database or disk is full: SQLITE_FULL",
  "database or disk is full",
];

const temporary = { code: "SERVICE_UNAVAILABLE", context: undefined, retryable: undefined };
const full = {
  code: "SERVICE_UNAVAILABLE",
  context: { reason: "DATABASE_FULL" },
  retryable: false,
};

const cases: [text: string, refusal: object][] = [
  ...temporaryTexts.map((text): [string, object] => [text, temporary]),
  ...fullTexts.map((text): [string, object] => [text, full]),
];

/** A database whose every query fails with the error, opened as a shard. */
function openFailingShard(error: Error) {
  const fail = () => Promise.reject(error);
  const statement = { bind: () => statement, all: fail, run: fail, raw: fail, first: fail };
  const bindings = { SHOP_9: { prepare: () => statement, batch: fail } };
  const { SHOP_9 } = shardsOf(bindings, "SHOP_9");
  if (!SHOP_9) throw new Error("The shard was not opened.");
  return openDb(SHOP_9, createMeter());
}

const failureOf = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => null,
    (error: unknown) => error,
  );

describe("a failure of D1", () => {
  it.each(cases)("is SERVICE_UNAVAILABLE: %s", async (text, refusal) => {
    const logged = vi.spyOn(console, "error").mockReturnValue();
    const error = new Error(`D1_ERROR: ${text}`, { cause: new Error(text) });
    const failure = await failureOf(openFailingShard(error).all(sql`select 1`));
    expect(findRefusal(failure)).toMatchObject(refusal);
    const lines = logged.mock.calls.map(([line]) => JSON.parse(String(line)));
    const fullLine = { level: "error", what: "database_full", database: "SHOP_9" };
    expect(lines).toEqual(refusal === full ? [fullLine] : []);
  });

  it.each(cases)("is SERVICE_UNAVAILABLE when drizzle wraps it: %s", (text, refusal) => {
    vi.spyOn(console, "error").mockReturnValue();
    const cause = new Error(`D1_ERROR: ${text}`);
    const wrapped = new Error("Failed query: select 1\nparams: ", { cause });
    expect(outageRefusal(wrapped, "SHOP_9")).toMatchObject(refusal);
  });

  it("tells a merchant that the shard is full", async () => {
    const logged = vi.spyOn(console, "error").mockReturnValue();
    const shop = await createBusiness();
    const shard = shop.business.shard === "SHOP_1" ? env.SHOP_1 : env.SHOP_2;
    await shard.exec(
      "create trigger full before insert on products begin select raise(abort, 'Exceeded maximum DB size'); end",
    );
    try {
      const body = { name: "Tea", default_price: "10.00" };
      expect(await merchant(shop)("POST", "/products", { body })).toMatchObject({
        status: 503,
        body: { error: { ...full, message: expect.stringContaining("full") } },
      });
    } finally {
      await shard.exec("drop trigger full");
    }
    expect(String(logged.mock.calls[0]?.[0])).toContain(`"database":"${shop.business.shard}"`);
  });

  it("is not found in the parameters of a query that failed for another reason", () => {
    const cause = new Error("D1_ERROR: CHECK constraint failed: orders_amounts");
    const wrapped = new Error("Failed query: …\nparams: Network connection lost. SQLITE_FULL", {
      cause,
    });
    expect(outageRefusal(wrapped, "SHOP_9")).toBe(wrapped);
  });
});

describe("a failure of a Durable Object", () => {
  const call = (error: Error) => {
    const variables = { meter: createMeter() };
    const c = { get: (name: keyof typeof variables) => variables[name] };
    return failureOf(countObjectCall(c as never, Promise.reject(error))); // safe: it reads the meter only
  };

  it.each(fullTexts)("is DATABASE_FULL when its storage is full: %s", async (text) => {
    vi.spyOn(console, "error").mockReturnValue();
    const thrownByObject = Object.assign(new Error(text), { remote: true });
    expect(await call(thrownByObject)).toMatchObject(full);
  });

  it("is SERVICE_UNAVAILABLE when the platform reset it", async () => {
    const reset = new Error("Durable Object exceeded its CPU time limit and was reset.");
    expect(await call(reset)).toMatchObject(temporary);
  });

  it("stays an error when the object's own code threw it", async () => {
    const bug = Object.assign(new Error("timeout is not defined"), { remote: true });
    expect(await call(bug)).toBe(bug);
  });
});
