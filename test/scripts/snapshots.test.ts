import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  changedTables,
  deleteSupersededSnapshots,
  listSnapshots,
  snapshotErrors,
} from "../../scripts/check/snapshots.ts";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A folder of migrations with these snapshots, whose journal ends with the migration 0002_deals. */
function createMigrations(snapshots: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "duka-snapshots-"));
  folders.push(folder);
  mkdirSync(join(folder, "meta"));
  const entries = ["0000_baseline", "0002_deals"].map((tag) => ({ tag }));
  writeFileSync(join(folder, "meta/_journal.json"), JSON.stringify({ entries }));
  for (const name of snapshots) writeFileSync(join(folder, "meta", name), "{}");
  return folder;
}

describe("changed tables", () => {
  it("names the tables that were added, dropped or changed", () => {
    const before = { tables: { orders: { n: "integer" }, carts: {}, products: {} } };
    const after = { tables: { orders: { n: "text" }, products: {}, events: {} } };
    expect(changedTables(before, after)).toEqual(["carts", "events", "orders"]);
  });

  it("ignores the order of keys", () => {
    const before = { tables: { orders: { columns: { id: { type: "text", name: "id" } } } } };
    const after = { tables: { orders: { columns: { id: { name: "id", type: "text" } } } } };
    expect(changedTables(before, after)).toEqual([]);
  });

  it("reads an empty snapshot as one without tables", () => {
    expect(changedTables({}, { tables: { orders: {} } })).toEqual(["orders"]);
  });
});

describe("the snapshots of a folder", () => {
  it("accepts the snapshot of the last migration alone", () => {
    expect(snapshotErrors(createMigrations(["0002_snapshot.json"]))).toEqual([]);
  });

  it("reports a snapshot that a later one supersedes", () => {
    const folder = createMigrations(["0000_snapshot.json", "0002_snapshot.json"]);
    expect(snapshotErrors(folder)).toEqual([
      "meta/0000_snapshot.json is superseded by 0002_snapshot.json; delete it",
    ]);
  });

  it("reports that the snapshot of the last migration is missing", () => {
    expect(snapshotErrors(createMigrations([]))).toEqual([
      "meta/0002_snapshot.json is missing; generate it again",
    ]);
  });

  it("keeps the latest snapshot when it deletes superseded ones", () => {
    const folder = createMigrations([
      "0000_snapshot.json",
      "0001_snapshot.json",
      "0002_snapshot.json",
    ]);
    deleteSupersededSnapshots(folder);
    expect(listSnapshots(folder)).toEqual(["0002_snapshot.json"]);
    expect(snapshotErrors(folder)).toEqual([]);
  });
});
