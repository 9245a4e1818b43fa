import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
} from "node:fs";
import { join } from "node:path";
import { dataFolder, settingFiles, summaryFile } from "./create-backup.ts";
import { assertIntact, isDatabase, listFiles } from "./database-files.ts";

/**
 * Writes a backup into an empty state folder, and checks each database. The databases appear last
 * and all at once, so an interrupted restore leaves a folder that has none.
 *
 * @returns the number of databases.
 */
export function restoreBackup(backup: string, stateDir: string): number {
  if (!existsSync(join(backup, summaryFile)))
    throw new Error(`${backup} is no backup: it has no ${summaryFile}.`);
  if (existsSync(stateDir) && readdirSync(stateDir).length > 0)
    throw new Error(`${stateDir} is not empty. Set STATE_DIR to an empty or a new folder.`);
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  chmodSync(stateDir, 0o700);
  for (const file of settingFiles) {
    if (!existsSync(join(backup, file))) continue;
    copyFileSync(join(backup, file), join(stateDir, file));
    chmodSync(join(stateDir, file), 0o600);
  }
  const unfinished = join(stateDir, `${dataFolder}.partial`);
  cpSync(join(backup, dataFolder), unfinished, { recursive: true });
  const databases = listFiles(unfinished).filter(isDatabase);
  for (const path of databases) assertIntact(join(unfinished, path));
  renameSync(unfinished, join(stateDir, dataFolder));
  return databases.length;
}
