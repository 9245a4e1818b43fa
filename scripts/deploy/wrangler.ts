import { spawnSync } from "node:child_process";
import { root, wranglerBin } from "../dev/places.ts";

/** Runs wrangler, showing what it says; tells whether it went well. */
export function wrangler(args: readonly string[]): boolean {
  const { status } = spawnSync(process.execPath, [wranglerBin, ...args], {
    cwd: root,
    stdio: "inherit",
  });
  return status === 0;
}
