import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The names of the tables that differ between two snapshots of drizzle-kit. */
export function changedTables(before: unknown, after: unknown): string[] {
  const older = tablesOf(before);
  const newer = tablesOf(after);
  const names = [...new Set([...older.keys(), ...newer.keys()])].sort();
  return names.filter((name) => older.get(name) !== newer.get(name));
}

/** The file names of the snapshots in a folder of migrations, oldest first. */
export function listSnapshots(migrations: string): string[] {
  const meta = join(migrations, "meta");
  if (!existsSync(meta)) return [];
  return readdirSync(meta)
    .filter((name) => name.endsWith("_snapshot.json"))
    .sort();
}

export const readSnapshot = (migrations: string, name: string): unknown =>
  JSON.parse(readFileSync(join(migrations, "meta", name), "utf8"));

/**
 * Deletes all snapshots except the latest. drizzle-kit compares the tables only with the latest.
 */
export function deleteSupersededSnapshots(migrations: string): void {
  for (const name of listSnapshots(migrations).slice(0, -1)) {
    rmSync(join(migrations, "meta", name));
  }
}

/**
 * Says what to correct when the folder does not hold exactly the snapshot of its last migration.
 */
export function snapshotErrors(migrations: string): string[] {
  const expected = lastSnapshotOf(readJournal(migrations));
  const found = listSnapshots(migrations);
  const superseded = found.filter((name) => name !== expected);
  return [
    ...(found.includes(expected) ? [] : [`meta/${expected} is missing; generate it again`]),
    ...superseded.map((name) => `meta/${name} is superseded by ${expected}; delete it`),
  ];
}

const readJournal = (migrations: string): unknown =>
  JSON.parse(readFileSync(join(migrations, "meta/_journal.json"), "utf8"));

/**
 * The file name of the last migration's snapshot. Both names begin with the same number, as in
 * `0003_coupon_usage`.
 */
function lastSnapshotOf(journal: unknown): string {
  const entries = isRecord(journal) && Array.isArray(journal.entries) ? journal.entries : [];
  const last: unknown = entries.at(-1);
  const tag = isRecord(last) ? String(last.tag) : "";
  return `${tag.slice(0, tag.indexOf("_"))}_snapshot.json`;
}

function tablesOf(snapshot: unknown): Map<string, string> {
  const tables = isRecord(snapshot) && isRecord(snapshot.tables) ? snapshot.tables : {};
  return new Map(Object.entries(tables).map(([name, table]) => [name, canonicalJson(table)]));
}

/**
 * JSON with sorted keys, because drizzle-kit writes the keys of a `--custom` migration in another
 * order.
 */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isRecord(part) && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
