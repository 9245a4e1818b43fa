import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { findWorkerProcesses } from "../state/processes.ts";
import {
  copySnapshot,
  hasChanged,
  isDatabase,
  isDatabaseLog,
  listFiles,
  openSnapshot,
  readVersion,
} from "./database-files.ts";
import { pauseWorkers } from "./pause-workers.ts";

export type BackupSummary = Readonly<{
  created_at: string;
  databases: number;
  files: number;
  bytes: number;
  /** How long the Workers were stopped; 0 when they did not run. */
  paused_ms: number;
}>;

export const dataFolder = "v3";
export const settingFiles = ["secrets.env", "migrations.json"] as const;
export const summaryFile = "backup.json";

/** A database is locked for an instant while a Worker opens it. */
const attempts = 20;
const retryMs = 50;

/**
 * Copies everything of a state folder, as it is at one moment, into a new folder, also while the
 * server runs. The Workers are stopped for that moment only: what does not change is copied before,
 * and open snapshots of the other databases are copied afterwards.
 */
export async function createBackup(stateDir: string, target: string): Promise<BackupSummary> {
  assertUsable(stateDir, target);
  const unfinished = `${resolve(target)}.partial`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  // Links keep files that are deleted while they are copied. Links exist within a file system only.
  const links = mkdtempSync(join(stateDir, "backup-"));
  try {
    const data = join(stateDir, dataFolder);
    const copied = await copyDatabases(data, join(unfinished, dataFolder));
    linkFiles(data, links);
    const { result: moment, pausedMs } = await captureMoment(data, copied, links, stateDir);
    await finishDatabases(moment, join(unfinished, dataFolder));
    copyFiles(moment.files, links, join(unfinished, dataFolder));
    for (const file of settingFiles) copyIfExists(join(stateDir, file), join(unfinished, file));
    const bytes = listFiles(unfinished).map((file) => statSync(join(unfinished, file)).size);
    const summary: BackupSummary = {
      created_at: new Date(moment.capturedAt).toISOString(),
      databases: moment.databases.length,
      files: moment.files.length,
      bytes: bytes.reduce((sum, size) => sum + size, 0),
      paused_ms: Math.round(pausedMs * 10) / 10,
    };
    writeFileSync(join(unfinished, summaryFile), `${JSON.stringify(summary, null, 2)}\n`);
    rmSync(target, { recursive: true, force: true }); // it is empty
    renameSync(unfinished, target);
    return summary;
  } finally {
    rmSync(links, { recursive: true, force: true });
  }
}

type CopiedVersions = ReadonlyMap<
  string,
  Readonly<{ version: ReturnType<typeof readVersion>; startedAtMs: number }>
>;

/** What exists at the moment of the backup. */
type Moment = Readonly<{
  capturedAt: number;
  databases: readonly string[];
  /** Those whose copy is not of this moment. */
  snapshots: ReadonlyMap<string, DatabaseSync>;
  files: readonly string[];
}>;

function assertUsable(stateDir: string, target: string): void {
  if (!existsSync(join(stateDir, dataFolder)))
    throw new Error(`${stateDir} has no databases. Set STATE_DIR to the folder of npm run serve.`);
  if (`${resolve(target)}/`.startsWith(`${resolve(stateDir)}/`))
    throw new Error("The backup must be outside of STATE_DIR.");
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new Error(`${target} is not empty. Name a new folder.`);
}

async function copyDatabases(data: string, target: string): Promise<CopiedVersions> {
  const copied = new Map<
    string,
    { version: ReturnType<typeof readVersion>; startedAtMs: number }
  >();
  for (const path of listFiles(data).filter(isDatabase)) {
    const source = join(data, path);
    const startedAtMs = Date.now();
    const version = readVersion(source);
    mkdirSync(dirname(join(target, path)), { recursive: true });
    try {
      await copySnapshot(openSnapshot(source), join(target, path));
      copied.set(path, { version, startedAtMs });
    } catch {
      // It is locked or was deleted. It is copied again if it still exists at the moment of the backup.
    }
  }
  return copied;
}

async function captureMoment(
  data: string,
  copied: CopiedVersions,
  links: string,
  stateDir: string,
): Promise<Readonly<{ result: Moment; pausedMs: number }>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return pauseWorkers(findWorkerProcesses(stateDir), () => readMoment(data, copied, links));
    } catch (error) {
      if (attempt === attempts) throw error;
      await pause(retryMs);
    }
  }
}

/** Runs while the Workers are stopped, so it copies nothing. */
function readMoment(data: string, copied: CopiedVersions, links: string): Moment {
  const snapshots = new Map<string, DatabaseSync>();
  try {
    const databases = listFiles(data).filter(isDatabase);
    for (const path of databases) {
      const known = copied.get(path);
      if (known === undefined || hasChanged(join(data, path), known))
        snapshots.set(path, openSnapshot(join(data, path)));
    }
    return { capturedAt: Date.now(), databases, snapshots, files: linkFiles(data, links) };
  } catch (error) {
    for (const snapshot of snapshots.values()) snapshot.close();
    throw error;
  }
}

/** Links the files of R2, which are never changed, only created and deleted. Returns all of them. */
function linkFiles(data: string, links: string): string[] {
  const files = listFiles(data).filter((path) => !isDatabase(path) && !isDatabaseLog(path));
  for (const path of files) {
    if (existsSync(join(links, path))) continue;
    mkdirSync(dirname(join(links, path)), { recursive: true });
    linkSync(join(data, path), join(links, path));
  }
  return files;
}

async function finishDatabases({ databases, snapshots }: Moment, target: string): Promise<void> {
  for (const [path, snapshot] of snapshots) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    await copySnapshot(snapshot, join(target, path));
  }
  const existing = new Set(databases);
  for (const path of listFiles(target)) {
    if (!existing.has(path)) rmSync(join(target, path));
  }
}

function copyFiles(files: readonly string[], links: string, target: string): void {
  for (const path of files) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    copyFileSync(join(links, path), join(target, path), constants.COPYFILE_FICLONE);
  }
}

function copyIfExists(source: string, target: string): void {
  if (existsSync(source)) copyFileSync(source, target);
}
