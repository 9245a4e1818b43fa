import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  applyMigrations,
  type Database,
  isCreatedByOtherMigrations,
} from "../../scripts/dev/databases.ts";

let stateDir: string;
let applied: string;

beforeAll(async () => {
  stateDir = mkdtempSync(join(tmpdir(), "duka-state-"));
  await applyMigrations(stateDir);
  applied = readFileSync(join(stateDir, "migrations.json"), "utf8");
});

afterAll(() => rmSync(stateDir, { recursive: true }));

const writeApplied = (text: string) => writeFileSync(join(stateDir, "migrations.json"), text);

it("accepts a state with the migrations of this checkout, or without the newest", () => {
  writeApplied(applied);
  expect(isCreatedByOtherMigrations(stateDir)).toBe(false);
  writeApplied(JSON.stringify(JSON.parse(applied).slice(0, -1)));
  expect(isCreatedByOtherMigrations(stateDir)).toBe(false);
  rmSync(join(stateDir, "migrations.json"));
  expect(isCreatedByOtherMigrations(stateDir)).toBe(false);
});

it("reports a state whose migrations.json has an unknown format", () => {
  writeApplied(JSON.stringify({ core: ["0000_businesses.sql"], shop: ["0000_shop.sql"] }));
  expect(isCreatedByOtherMigrations(stateDir)).toBe(true);
});

it("reports a state created by a migration that was edited or deleted", () => {
  const [first, ...others] = JSON.parse(applied);
  writeApplied(JSON.stringify([`${first}0`, ...others]));
  expect(isCreatedByOtherMigrations(stateDir)).toBe(true);
  writeApplied(JSON.stringify([first, ...others, "shop/9999_removed.sql 00"]));
  expect(isCreatedByOtherMigrations(stateDir)).toBe(true);
});

/** A database that records which migrations it has. Its first batch is applied, and then fails. */
function createFailingDatabase(error: Error) {
  const names: unknown[] = [];
  let batches = 0;
  const database: Database = {
    prepare: () => {
      const statement = {
        bind: (name: unknown) => ({ ...statement, name }),
        all: async () => ({ results: names.map((name) => ({ name })) }),
      };
      return statement;
    },
    async batch(statements) {
      batches += 1;
      names.push(...statements.flatMap((statement) => Object(statement).name ?? []));
      if (batches === 1) throw error;
    },
  };
  return { database, names, countBatches: () => batches };
}

async function migrateWith({ database }: ReturnType<typeof createFailingDatabase>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "duka-state-"));
  try {
    await applyMigrations(folder, async (_, use) => use([["CORE", database]]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it("continues after the connection was lost, and applies no migration twice", async () => {
  const failing = createFailingDatabase(new TypeError("fetch failed"));
  await migrateWith(failing);
  expect(failing.names).not.toEqual([]);
  expect(new Set(failing.names).size).toBe(failing.names.length);
  expect(failing.countBatches()).toBe(1);
});

it("fails when the database rejects a migration", async () => {
  const failing = createFailingDatabase(new Error("D1_ERROR: no such table"));
  await expect(migrateWith(failing)).rejects.toThrow("no such table");
});
