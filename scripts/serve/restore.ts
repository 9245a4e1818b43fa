// `npm run restore -- <dir>` writes a backup into an empty STATE_DIR.
import { parseArgs } from "node:util";
import { restoreBackup } from "./backup/restore-backup.ts";
import { serveStateDir } from "./settings.ts";

const [backup] = parseArgs({ allowPositionals: true }).positionals;
try {
  if (backup === undefined) throw new Error("Name the backup: npm run restore -- <dir>");
  const stateDir = serveStateDir(process.env);
  const databases = restoreBackup(backup, stateDir);
  console.log(`Restored ${databases} databases into ${stateDir}. Start it with npm run serve.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
