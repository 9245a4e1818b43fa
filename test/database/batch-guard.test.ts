import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { createBatchGuard, createMeter, openDb } from "../../shared/database/index.ts";

const query = sql<number>`1`;

/** A database whose guard runs `condition`, with the calls it received and the number of checks. */
function createGuardedDb(condition: string) {
  const calls = { passed: 0, refused: 0 };
  const guard = createBatchGuard({
    sql: condition,
    params: [],
    onPassed: () => {
      calls.passed += 1;
    },
    refusalFor: async (error) => {
      if (!String(error).includes("no such column: closed")) return null;
      calls.refused += 1;
      return new Error("The guard refused.");
    },
  });
  const meter = createMeter();
  return { db: openDb(env.SHOP_1, meter, guard), meter, calls };
}

const one = (db: ReturnType<typeof openDb>, value = query) =>
  db.select({ one: value }).from(sql`(select 1)`);

describe("createBatchGuard", () => {
  it("runs in the first batch, whose results are unchanged", async () => {
    const { db, meter, calls } = createGuardedDb("select 7");
    expect(await db.batch([one(db), one(db)])).toEqual([[{ one: 1 }], [{ one: 1 }]]);
    expect([meter.d1, calls.passed]).toEqual([1, 1]);
    await db.batch([one(db)]);
    await one(db);
    expect([meter.d1, calls.passed]).toEqual([3, 1]);
  });

  it("needs a round trip of its own before a single statement", async () => {
    const { db, meter, calls } = createGuardedDb("select 7");
    expect(await one(db)).toEqual([{ one: 1 }]);
    expect([meter.d1, calls.passed]).toEqual([2, 1]);
  });

  it("runs once when the first batches are concurrent", async () => {
    const { db, meter, calls } = createGuardedDb("select 7");
    await Promise.all([db.batch([one(db)]), db.batch([one(db)]), one(db)]);
    expect([meter.d1, calls.passed]).toEqual([3, 1]);
  });

  it("refuses everything after it failed", async () => {
    const { db, meter, calls } = createGuardedDb("select closed");
    await expect(db.batch([one(db)])).rejects.toThrow("The guard refused.");
    await expect(db.batch([one(db)])).rejects.toThrow("The guard refused.");
    await expect(one(db)).rejects.toThrow();
    expect([meter.d1, calls.passed, calls.refused]).toEqual([1, 0, 1]);
  });

  it("runs in the next batch when its batch failed for another reason", async () => {
    const { db, meter, calls } = createGuardedDb("select 7");
    const failing = one(db, sql<number>`missing`);
    await expect(db.batch([failing])).rejects.toThrow(/no such column: missing/);
    expect(calls.passed).toBe(0);
    expect(await db.batch([one(db)])).toEqual([[{ one: 1 }]]);
    expect([meter.d1, calls.passed]).toEqual([2, 1]);
  });
});
