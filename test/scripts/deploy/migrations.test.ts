import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findUnsafeMigrations } from "../../../scripts/deploy/migrations/find-unsafe.ts";

const baseline = `
  CREATE TABLE orders (id TEXT PRIMARY KEY, number INTEGER NOT NULL, note TEXT);
  CREATE UNIQUE INDEX orders_number ON orders (number);
  CREATE VIEW open_orders AS SELECT id FROM orders;`;

/** The problems of a migration after the baseline. */
function findProblems(migration: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), "duka-migrations-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "0000_baseline.sql"), baseline);
  writeFileSync(join(folder, "0001_change.sql"), migration);
  return findUnsafeMigrations(folder).flatMap(({ problems }) => problems);
}

const rebuildWith = (columns: string, copied: string) => `
  DROP VIEW open_orders;
  CREATE TABLE new_orders (${columns});
  INSERT INTO new_orders (${copied}) SELECT ${copied} FROM orders;
  DROP TABLE orders;
  ALTER TABLE new_orders RENAME TO orders;
  CREATE UNIQUE INDEX orders_number ON orders (number);
  CREATE VIEW open_orders AS SELECT id FROM orders;`;

it.each([
  ["a table", "DROP VIEW open_orders; DROP TABLE orders", "the table orders is removed or renamed"],
  ["a view", "DROP VIEW open_orders", "the view open_orders is removed"],
  ["a dropped column", "ALTER TABLE orders DROP COLUMN note", "the column orders.note is removed"],
  ["a renamed column", "ALTER TABLE orders RENAME note TO remark", "the column orders.note is"],
  [
    "a rebuilt table's column",
    rebuildWith("id TEXT PRIMARY KEY, number INTEGER NOT NULL", "id, number"),
    "the column orders.note is",
  ],
  [
    "a new requirement",
    rebuildWith(
      "id TEXT PRIMARY KEY, number INTEGER NOT NULL, note TEXT NOT NULL",
      "id, number, note",
    ),
    "orders.note is required without a default",
  ],
  [
    "a new required column",
    rebuildWith(
      "id TEXT PRIMARY KEY, number INTEGER NOT NULL, note TEXT, total INTEGER CHECK (total > 0) NOT NULL",
      "id, number, note",
    ).replace(/INSERT.*/, ""),
    "orders.total is required without a default",
  ],
  [
    "a unique index",
    "CREATE UNIQUE INDEX orders_note ON orders (note)",
    "orders has a new unique index on note.",
  ],
])("refuses %s that running Workers use", (_, migration, problem) => {
  expect(findProblems(migration).join("\n")).toContain(problem);
});

it.each([
  ["a new table", "CREATE TABLE refunds (id TEXT PRIMARY KEY, amount INTEGER NOT NULL UNIQUE)"],
  ["a new column", "ALTER TABLE orders ADD total INTEGER"],
  ["a required column with a default", "ALTER TABLE orders ADD total INTEGER DEFAULT 0 NOT NULL"],
  [
    "a unique index on a new column",
    "ALTER TABLE orders ADD code TEXT; CREATE UNIQUE INDEX orders_code ON orders (number, code)",
  ],
  ["another index", "CREATE INDEX orders_note ON orders (note)"],
  [
    "a table that is rebuilt with all columns",
    rebuildWith(
      "id TEXT PRIMARY KEY, number INTEGER NOT NULL, note TEXT, total INTEGER DEFAULT 0 NOT NULL",
      "id, number, note",
    ),
  ],
])("accepts %s", (_, migration) => {
  expect(findProblems(migration)).toEqual([]);
});
