import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { Miniflare, NoOpLog, type WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";
import { root } from "../scripts/dev/paths.ts";
import type { Bundle } from "../scripts/serve/build/bundles.ts";
import { listWorkerdChildren } from "./workerd-process.ts";

export const operatorToken = "operator-token-of-the-benchmark";

const variables = {
  OPERATOR_TOKEN: operatorToken,
  SESSION_SECRET: "session-secret-of-the-benchmark-0123456789",
  WEBHOOK_SIGNING_SECRET: "webhook-secret-of-the-benchmark-0123456789",
  REQUESTS_PER_SECOND_PER_ADDRESS: "1000000",
  REQUEST_LOG: "off",
  // The receivers of bench/webhooks.ts run on this machine.
  ALLOW_LOCAL_WEBHOOKS: "true",
};

const front = "duka-front";
const storefront = "duka-storefront";
const shopBindings = ["SHOP_1", "SHOP_2"];

/** The part of D1Database that measurements use. */
export type ShopDatabase = Readonly<{
  prepare(sql: string): Readonly<{
    bind(...values: (string | number | null)[]): Readonly<{
      all(): Promise<{ results: readonly unknown[] }>;
      run(): Promise<unknown>;
    }>;
  }>;
}>;

export type BenchRuntime = Readonly<{
  /** The address of the front Worker's own socket in workerd. Requests pass no proxy. */
  origin: URL;
  /** Opens the D1 databases of the shards. */
  shopDatabases(): Promise<readonly ShopDatabase[]>;
  /** The last warnings and errors that the Workers logged, and what workerd itself wrote. */
  recentLines(): readonly string[];
  /** The ids of the workerd processes that run the Workers. */
  processIds(): readonly number[];
  stop(): Promise<void>;
}>;

type RuntimeOptions = Readonly<{
  /** Where workerd's inspector listens; by default it does not run. */
  inspectorPort?: number;
  /** Whether the messages to customers are written, to the log instead of a provider. */
  sendsMessages?: boolean;
}>;

/** Runs the built Workers. `stateDir` has the folders that `npm run dev` also uses. */
export async function startRuntime(
  bundles: readonly Bundle[],
  stateDir: string,
  { inspectorPort, sendsMessages = false }: RuntimeOptions = {},
): Promise<BenchRuntime> {
  const lines: string[] = [];
  const state = join(stateDir, "v3");
  const others = listWorkerdChildren();
  const miniflare = new Miniflare({
    ...silentOptions(lines),
    ...(inspectorPort !== undefined && { inspectorPort }),
    d1Persist: join(state, "d1"),
    r2Persist: join(state, "r2"),
    durableObjectsPersist: join(state, "do"),
    workers: bundles.map((bundle) => workerOptionsFor(bundle, { sendsMessages })),
  });
  await miniflare.ready;
  const processIds = listWorkerdChildren().filter((pid) => !others.includes(pid));
  return {
    origin: await miniflare.unsafeGetDirectURL(front),
    shopDatabases: () =>
      Promise.all(shopBindings.map((name) => miniflare.getD1Database(name, storefront))),
    recentLines: () => lines,
    processIds: () => processIds,
    stop: () => miniflare.dispose(),
  };
}

/**
 * Measures how many milliseconds a new isolate takes to evaluate a Worker's global scope. An empty
 * Worker imports the built main module when it gets its first request.
 */
export async function measureEvaluationMs(bundle: Bundle): Promise<number> {
  const { bindings, compatibilityDate, compatibilityFlags } = workerSettingsFor(bundle);
  const miniflare = new Miniflare({
    ...silentOptions([]),
    name: "importer",
    modules: [{ type: "ESModule", path: "importer.js", contents: importer }, ...bundle.modules],
    compatibilityDate,
    compatibilityFlags,
    bindings: { ...bindings, ...variables },
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  });
  try {
    const response = await fetch(await miniflare.unsafeGetDirectURL("importer"));
    return Number(await response.text());
  } finally {
    await miniflare.dispose();
  }
}

const importer = `export default {
  async fetch() {
    const started = performance.now();
    await import("./worker.js");
    return new Response(String(performance.now() - started));
  },
};`;

const maxRecentLines = 20;

/** The Workers log every request; those lines would bury the few that say what went wrong. */
const isRequestLine = (line: string): boolean => line.startsWith('{"level":"info"');

/** Miniflare options that print nothing. The last lines of the Workers' output are in `lines`. */
export const silentOptions = (lines: string[]) => ({
  log: new NoOpLog(),
  cf: false as const,
  host: "127.0.0.1",
  port: 0,
  handleRuntimeStdio(...streams: Readable[]) {
    for (const input of streams) {
      createInterface({ input }).on("line", (line) => {
        if (isRequestLine(line)) return;
        lines.push(line);
        if (lines.length > maxRecentLines) lines.shift();
      });
    }
  },
});

function workerOptionsFor(
  bundle: Bundle,
  { sendsMessages }: Required<Pick<RuntimeOptions, "sendsMessages">>,
): WorkerOptions {
  const settings = workerSettingsFor(bundle);
  const messages = sendsMessages ? { EMAIL_PROVIDER: "console", SMS_PROVIDER: "console" } : {};
  return {
    ...settings,
    name: bundle.name,
    modules: [...bundle.modules],
    bindings: { ...settings.bindings, ...variables, ...messages },
    ...(bundle.name === front && { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] }),
  };
}

type WorkerSettings = Pick<
  WorkerOptions,
  | "bindings"
  | "compatibilityDate"
  | "compatibilityFlags"
  | "d1Databases"
  | "durableObjects"
  | "queueConsumers"
  | "queueProducers"
  | "r2Buckets"
  | "serviceBindings"
>;

/**
 * Reads a Worker's bindings from wrangler.toml. Leaves out assets and crons, which no benchmark
 * needs, and the variables of .dev.vars, so that every checkout measures the same.
 */
function workerSettingsFor({ config }: Bundle): WorkerSettings {
  const path = join(root, config);
  // Safe: wrangler returns options of Miniflare 4, but types them with its own copy of Miniflare.
  const all = unstable_getMiniflareWorkerOptions(path).workerOptions as WorkerSettings;
  return {
    bindings: unstable_readConfig({ config: path }).vars,
    compatibilityDate: all.compatibilityDate,
    compatibilityFlags: all.compatibilityFlags,
    d1Databases: all.d1Databases,
    durableObjects: all.durableObjects,
    queueConsumers: all.queueConsumers,
    queueProducers: all.queueProducers,
    r2Buckets: all.r2Buckets,
    serviceBindings: all.serviceBindings,
  };
}
