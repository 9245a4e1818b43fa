import { join } from "node:path";
import { build } from "vite";
import { root } from "./paths.ts";

/** Builds the merchant's console into the front Worker's static files. */
export async function buildConsole(): Promise<void> {
  await build({ configFile: join(root, "console/vite.config.ts"), logLevel: "warn" });
}
