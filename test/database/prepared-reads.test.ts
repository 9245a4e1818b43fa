import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createMeter, type Db, openDb, prepareReads } from "../../shared/database/index.ts";

const notes = sqliteTable("prepared_read_notes", {
  id: text("id").primaryKey(),
  topic: text("topic").notNull(),
  isOpen: integer("is_open", { mode: "boolean" }).notNull(),
});

const first = { id: "a", topic: "about a tea", isOpen: true };
const second = { id: "b", topic: "about b tea", isOpen: false };

const openCountedDb = () => {
  const meter = createMeter();
  return { db: openDb(env.SHOP_1, meter), meter };
};

beforeEach(async () => {
  await env.SHOP_1.exec("drop table if exists prepared_read_notes");
  await env.SHOP_1.exec(
    "create table prepared_read_notes (id text primary key, topic text, is_open integer)",
  );
  await openCountedDb().db.insert(notes).values([first, second]);
});

afterAll(() => env.SHOP_1.exec("drop table prepared_read_notes"));

const selectNote = (db: Db, id: string) => db.select().from(notes).where(eq(notes.id, id));

describe("prepared reads", () => {
  it("build their SQL once, and read what each call asks for, in one round trip", async () => {
    const build = vi.fn(
      (db: Db, { id, other }: { id: string; other: string }) =>
        [selectNote(db, id), selectNote(db, other)] as const,
    );
    const readNotes = prepareReads(build);
    const { db, meter } = openCountedDb();
    expect(await db.batch(readNotes(db, { id: "a", other: "b" }))).toEqual([[first], [second]]);
    const built = build.mock.calls.length;
    expect(await db.batch(readNotes(db, { id: "b", other: "c" }))).toEqual([[second], []]);
    expect(build).toHaveBeenCalledTimes(built);
    expect(meter.d1).toBe(2);
  });

  it("run with the database of the call", async () => {
    const readNote = prepareReads((db, { id }: { id: string }) => [selectNote(db, id)] as const);
    const [earlier, later] = [openCountedDb(), openCountedDb()];
    await earlier.db.batch(readNote(earlier.db, { id: "a" }));
    expect(await later.db.batch(readNote(later.db, { id: "b" }))).toEqual([[second]]);
    expect([earlier.meter.d1, later.meter.d1]).toEqual([1, 1]);
  });

  it("have other SQL when a value is null", async () => {
    const readNotes = prepareReads(
      (db, { id }: { id: string | null }) =>
        [
          db
            .select({ id: notes.id })
            .from(notes)
            .where(id === null ? undefined : eq(notes.id, id))
            .orderBy(notes.id),
        ] as const,
    );
    const { db } = openCountedDb();
    const idsOf = async (id: string | null) =>
      (await db.batch(readNotes(db, { id }))).flat().map((note) => note.id);
    expect([await idsOf("a"), await idsOf(null), await idsOf("b")]).toEqual([
      ["a"],
      ["a", "b"],
      ["b"],
    ]);
  });

  it("take a value as a part of a parameter, also one with a dollar sign", async () => {
    const readTopic = prepareReads(
      (db, { id }: { id: string }) =>
        [db.select({ topic: sql<string>`${`about ${id} tea`}` }).from(sql`(select 1)`)] as const,
    );
    const { db } = openCountedDb();
    const topicOf = async (id: string) => (await db.batch(readTopic(db, { id })))[0][0]?.topic;
    expect(await topicOf("a")).toBe("about a tea");
    expect(await topicOf("$&")).toBe("about $& tea");
  });

  it("leave texts alone that look like names of values", async () => {
    const readText = prepareReads(
      (db, { id }: { id: string }) =>
        [
          db.select({ text: sql<string>`${id} || ${"<id> \0id\0 id"}` }).from(sql`(select 1)`),
        ] as const,
    );
    const { db } = openCountedDb();
    expect((await db.batch(readText(db, { id: "a" })))[0][0]?.text).toBe("a<id> \0id\0 id");
  });

  it.each<[string, (id: string) => string]>([
    ["in JSON", (id) => JSON.stringify({ id })],
    ["in part", (id) => id.slice(2)],
    ["in capitals", (id) => id.toUpperCase()],
  ])("refuse to be built when a value is used %s", (_how, change) => {
    const readNote = prepareReads((db, { id }: { id: string }) => [selectNote(db, change(id))]);
    const { db } = openCountedDb();
    expect(() => readNote(db, { id: "note" })).toThrow("A value is changed");
  });

  it("refuse to be built when a value is part of the SQL", () => {
    const readNote = prepareReads((db, { id }: { id: string }) => [
      db
        .select()
        .from(notes)
        .where(sql.raw(`id = '${id}'`)),
    ]);
    const { db } = openCountedDb();
    expect(() => readNote(db, { id: "a" })).toThrow("is not a parameter");
  });
});
