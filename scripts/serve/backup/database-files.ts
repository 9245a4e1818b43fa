import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";

/** The size and time of the last write of a database and of its log. */
type FileVersion = Readonly<{ text: string; writtenAtMs: number }>;

/** Pages that one step of a copy reads. */
const pagesPerStep = 10_000;
/** Two writes within it may leave the same time of the last write. */
const clockToleranceMs = 1_000;

/** Lists the files of a folder below it, by path from the folder. */
export const listFiles = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    : [];

export const isDatabase = (path: string): boolean => path.endsWith(".sqlite");

/** Whether SQLite keeps the file beside a database. Its content is part of the copied database. */
export const isDatabaseLog = (path: string): boolean => /\.sqlite-(?:wal|shm|journal)$/.test(path);

/** A copy is the current version of its database when this has not changed since before the copy. */
export function readVersion(path: string): FileVersion {
  const stats = [path, `${path}-wal`].flatMap((file) => {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? [] : [stat];
  });
  return {
    text: stats.map(({ ino, size, mtimeNs }) => `${ino} ${size} ${mtimeNs}`).join(", "),
    writtenAtMs: Math.max(...stats.map(({ mtimeMs }) => Number(mtimeMs))),
  };
}

/** Whether a database may have been written since its copy was started. */
export const hasChanged = (
  path: string,
  copied: Readonly<{ version: FileVersion; startedAtMs: number }>,
): boolean =>
  copied.version.writtenAtMs > copied.startedAtMs - clockToleranceMs ||
  readVersion(path).text !== copied.version.text;

/** Opens a database at its present state. What is written afterwards is not visible in it. */
export function openSnapshot(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    database.exec("PRAGMA busy_timeout = 0; BEGIN; SELECT count(*) FROM sqlite_schema");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Copies what an open snapshot shows into a new file, and closes the snapshot. */
export async function copySnapshot(snapshot: DatabaseSync, target: string): Promise<void> {
  try {
    rmSync(target, { force: true });
    await backup(snapshot, target, { rate: pagesPerStep });
  } finally {
    snapshot.close();
  }
}

/** @throws Error when the database is damaged. */
export function assertIntact(path: string): void {
  const database = new DatabaseSync(path);
  try {
    const [row] = database.prepare("PRAGMA quick_check").all();
    if (row?.quick_check !== "ok") throw new Error(`${path} is damaged: ${row?.quick_check}`);
  } finally {
    database.close();
  }
}
