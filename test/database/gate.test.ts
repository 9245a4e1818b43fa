import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { gateOf, openDb } from "../../shared/database/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";

const query = sql<number>`1`;

/** A gate whose statement is `condition`; what it was told and how often it was asked. */
function givenDb(condition: string) {
  const told = { held: 0, refused: 0 };
  const gate = gateOf({
    sql: condition,
    params: [],
    onHeld: () => {
      told.held += 1;
    },
    refusalFor: async (error) => {
      if (!String(error).includes("no such column: closed")) return null;
      told.refused += 1;
      return new Error("The gate is closed.");
    },
  });
  const meter = createMeter();
  return { db: openDb(env.SHOP_1, meter, gate), meter, told };
}

const one = (db: ReturnType<typeof openDb>, value = query) =>
  db.select({ one: value }).from(sql`(select 1)`);

describe("a gate before a database", () => {
  it("goes with the first batch, whose answer is as it would be without it", async () => {
    const { db, meter, told } = givenDb("select 7");
    expect(await db.batch([one(db), one(db)])).toEqual([[{ one: 1 }], [{ one: 1 }]]);
    expect([meter.d1, told.held]).toEqual([1, 1]);
    await db.batch([one(db)]);
    await one(db);
    expect([meter.d1, told.held]).toEqual([3, 1]);
  });

  it("costs a round trip of its own before a statement that stands alone", async () => {
    const { db, meter, told } = givenDb("select 7");
    expect(await one(db)).toEqual([{ one: 1 }]);
    expect([meter.d1, told.held]).toEqual([2, 1]);
  });

  it("is asked once when the first batches go side by side", async () => {
    const { db, meter, told } = givenDb("select 7");
    await Promise.all([db.batch([one(db)]), db.batch([one(db)]), one(db)]);
    expect([meter.d1, told.held]).toEqual([3, 1]);
  });

  it("refuses everything where it does not hold, and asks nothing after it", async () => {
    const { db, meter, told } = givenDb("select closed");
    await expect(db.batch([one(db)])).rejects.toThrow("The gate is closed.");
    await expect(db.batch([one(db)])).rejects.toThrow("The gate is closed.");
    await expect(one(db)).rejects.toThrow();
    expect([meter.d1, told.held, told.refused]).toEqual([1, 0, 1]);
  });

  it("goes with the next batch when what came with it failed", async () => {
    const { db, meter, told } = givenDb("select 7");
    const failing = one(db, sql<number>`missing`);
    await expect(db.batch([failing])).rejects.toThrow(/no such column: missing/);
    expect(told.held).toBe(0);
    expect(await db.batch([one(db)])).toEqual([[{ one: 1 }]]);
    expect([meter.d1, told.held]).toEqual([2, 1]);
  });
});
