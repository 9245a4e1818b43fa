import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");

/** Where the local databases, objects and files are kept. */
export const stateDir = resolve(root, process.env.STATE_DIR ?? ".state");

/** The Workers' settings in the order of `wrangler dev`: the first is the public address. */
export const workerConfigs = [
  "wrangler.toml",
  "functions/storefront/wrangler.toml",
  "functions/link/wrangler.toml",
  "functions/business/wrangler.toml",
  "functions/background/wrangler.toml",
] as const;

export const wranglerBin = join(root, "node_modules/wrangler/bin/wrangler.js");

/** Keeps wrangler to itself: no call home, no log files outside of the state. */
export const wranglerEnv = {
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_LOG_PATH: join(stateDir, "logs"),
} as const;
