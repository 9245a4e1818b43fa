// `npm run backup -- <dir>` copies the state of `npm run serve` into a new folder, also while it runs.
import { parseArgs } from "node:util";
import { createBackup } from "./backup/create-backup.ts";
import { serveStateDir } from "./settings.ts";

const [target] = parseArgs({ allowPositionals: true }).positionals;
try {
  if (target === undefined) throw new Error("Name a new folder: npm run backup -- <dir>");
  const stateDir = serveStateDir(process.env);
  const { databases, files, bytes, paused_ms } = await createBackup(stateDir, target);
  console.log(
    `Copied ${databases} databases and ${files} files (${(bytes / 1e6).toFixed(1)} MB) into ${target}. ` +
      `The Workers were stopped for ${paused_ms} ms. The folder has the secrets too.`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
