import { rmSync } from "node:fs";
import { join } from "node:path";

/** Removes what `npm run dev` wrote into the folder, and nothing else that may be there. */
export function emptyState(stateDir: string): void {
  for (const name of ["v3", "logs", "migrations.json", "demo.json"]) {
    rmSync(join(stateDir, name), { recursive: true, force: true });
  }
}
