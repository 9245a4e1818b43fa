import { join } from "node:path";
import type { Readable } from "node:stream";
import { Miniflare, NoOpLog, type WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { root } from "../scripts/dev/places.ts";
import type { Bundle } from "./bundles.ts";

export const operatorToken = "operator-token-of-the-benchmark";

const variables = {
  OPERATOR_TOKEN: operatorToken,
  SESSION_SECRET: "session-secret-of-the-benchmark-0123456789",
  WEBHOOK_SIGNING_SECRET: "webhook-secret-of-the-benchmark-0123456789",
  REQUESTS_PER_SECOND_PER_ADDRESS: "1000000",
  // The receivers of webhooks.ts are on this machine.
  ALLOW_LOCAL_WEBHOOKS: "true",
};

const front = "duka-front";
const storefront = "duka-storefront";
const shopBindings = ["SHOP_1", "SHOP_2"];

type ShopDatabase = Awaited<ReturnType<Miniflare["getD1Database"]>>;

export type Runtime = Readonly<{
  /** workerd's own socket to the front: no proxy in between. */
  origin: URL;
  /** The databases that hold businesses' things. */
  shops(): Promise<readonly ShopDatabase[]>;
  recentLines(): readonly string[];
  stop(): Promise<void>;
}>;

/** Runs the built Workers together; what they store is kept in `stateDir`, as `npm run dev` does. */
export async function start(bundles: readonly Bundle[], stateDir: string): Promise<Runtime> {
  const lines: string[] = [];
  const state = join(stateDir, "v3");
  const miniflare = new Miniflare({
    ...quiet(lines),
    d1Persist: join(state, "d1"),
    r2Persist: join(state, "r2"),
    durableObjectsPersist: join(state, "do"),
    workers: bundles.map(optionsOf),
  });
  await miniflare.ready;
  return {
    origin: await miniflare.unsafeGetDirectURL(front),
    shops: () => Promise.all(shopBindings.map((name) => miniflare.getD1Database(name, storefront))),
    recentLines: () => lines.slice(-20),
    stop: () => miniflare.dispose(),
  };
}

/**
 * Milliseconds that a fresh isolate takes to evaluate a Worker's global scope: the built main
 * module is imported by an empty Worker at its first request.
 */
export async function evaluationMs(bundle: Bundle): Promise<number> {
  const { bindings, compatibilityDate, compatibilityFlags } = settingsOf(bundle);
  const miniflare = new Miniflare({
    ...quiet([]),
    name: "importer",
    modules: [{ type: "ESModule", path: "importer.js", contents: importer }, ...bundle.modules],
    compatibilityDate,
    compatibilityFlags,
    bindings: { ...bindings, ...variables },
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  });
  try {
    const answer = await fetch(await miniflare.unsafeGetDirectURL("importer"));
    return Number(await answer.text());
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

/** What a runtime of the benchmark has: it says nothing itself; what its Workers say is kept in `lines`. */
export const quiet = (lines: string[]) => ({
  log: new NoOpLog(),
  cf: false as const,
  host: "127.0.0.1",
  port: 0,
  handleRuntimeStdio(...streams: Readable[]) {
    for (const stream of streams) stream.on("data", (text: Buffer) => lines.push(text.toString()));
  },
});

function optionsOf(bundle: Bundle): WorkerOptions {
  const settings = settingsOf(bundle);
  return {
    ...settings,
    name: bundle.name,
    modules: [...bundle.modules],
    bindings: { ...settings.bindings, ...variables },
    ...(bundle.name === front && { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] }),
  };
}

type Settings = Pick<
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

/** What a Worker's own settings bind it to; assets, crons and the like are not needed here. */
function settingsOf({ config }: Bundle): Settings {
  // Safe: wrangler words them as options of Miniflare 4, but types them by a Miniflare of its own.
  const all = unstable_getMiniflareWorkerOptions(join(root, config)).workerOptions as Settings;
  return {
    bindings: all.bindings,
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
