import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");

/** The folder of the local databases, objects and files. */
export const stateDir = resolve(root, process.env.STATE_DIR ?? ".state");

/** The wrangler.toml of each Worker. `wrangler dev` exposes the first one on its port. */
export const workerConfigs = [
  "wrangler.toml",
  "functions/storefront/wrangler.toml",
  "functions/pages/wrangler.toml",
  "functions/link/wrangler.toml",
  "functions/business/wrangler.toml",
  "functions/agents/wrangler.toml",
  "functions/background/wrangler.toml",
] as const;

export const wranglerBin = join(root, "node_modules/wrangler/bin/wrangler.js");

/**
 * Turns off wrangler's network calls and keeps its files in the state folder. With its usual registry
 * of running Workers, one for all of a user's projects, two checkouts would call each other's Workers.
 */
export const wranglerEnv = {
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_LOG_PATH: join(stateDir, "logs"),
  WRANGLER_REGISTRY_PATH: join(stateDir, "registry"),
} as const;
