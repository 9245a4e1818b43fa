import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import {
  assignPrefetchResults,
  batchedRead,
  createMeter,
  createPrefetch,
  type Db,
  knownPrefetch,
  openDb,
  readTogether,
  requiredPrefetch,
} from "../../shared/database/index.ts";

function openCountedDb() {
  const meter = createMeter();
  return { db: openDb(env.SHOP_1, meter), meter };
}

const select = (db: Db, value: number) =>
  db.select({ value: sql<number>`${value}` }).from(sql`(select 1)`);

const sumOf = (db: Db, ...values: [number, number]) =>
  batchedRead([select(db, values[0]), select(db, values[1])], ([[left], [right]]) =>
    left && right ? left.value + right.value : Number.NaN,
  );

describe("readTogether", () => {
  it("returns the values of several reads in one round trip", async () => {
    const { db, meter } = openCountedDb();
    const empty = batchedRead([], () => 0);
    expect(await readTogether(db, [sumOf(db, 1, 2), empty, sumOf(db, 3, 4)])).toEqual([3, 0, 7]);
    expect(meter.d1).toBe(1);
  });

  it("makes no round trip without queries", async () => {
    const { db, meter } = openCountedDb();
    expect(await readTogether(db, [])).toEqual([]);
    expect(meter.d1).toBe(0);
  });
});

describe("createPrefetch", () => {
  it("loads in a round trip of its own, once, when no carrier ran", async () => {
    const { db, meter } = openCountedDb();
    const prefetch = createPrefetch(db, () => sumOf(db, 1, 2));
    expect(prefetch.received()).toBeUndefined();
    expect([await prefetch.load(), await prefetch.load()]).toEqual([3, 3]);
    expect(meter.d1).toBe(1);
  });

  it("builds its queries only when they are needed, and once", async () => {
    const { db } = openCountedDb();
    const createRead = vi.fn(() => sumOf(db, 1, 2));
    const prefetch = createPrefetch(db, createRead);
    expect(prefetch.received()).toBeUndefined();
    expect(createRead).not.toHaveBeenCalled();
    expect(prefetch.queries).toBe(prefetch.queries);
    expect(await prefetch.load()).toBe(3);
    expect(createRead).toHaveBeenCalledTimes(1);
  });

  it("returns what a carrier's batch delivered, without a round trip", async () => {
    const { db, meter } = openCountedDb();
    const onReceive = vi.fn();
    const first = createPrefetch(db, () => sumOf(db, 1, 2), onReceive);
    const second = createPrefetch(db, () => sumOf(db, 3, 4));
    assignPrefetchResults(
      [first, knownPrefetch("known"), requiredPrefetch(second)],
      [[{ value: 10 }], [{ value: 20 }], [{ value: 30 }], [{ value: 40 }]],
      7,
    );
    expect([await first.load(), second.received()]).toEqual([30, 70]);
    expect(onReceive).toHaveBeenCalledWith(30, 7);
    expect(meter.d1).toBe(0);
  });
});

describe("requiredPrefetch", () => {
  it("requires a prefetch only when it has queries", () => {
    const { db } = openCountedDb();
    expect(requiredPrefetch(createPrefetch(db, () => sumOf(db, 1, 2))).isRequired).toBe(true);
    expect(requiredPrefetch(knownPrefetch(null)).isRequired).toBe(false);
  });
});
