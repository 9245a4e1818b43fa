import { join } from "node:path";
import { Miniflare, type MiniflareOptions, NoOpLog, type WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { root } from "../scripts/dev/places.ts";
import type { Bundle } from "./bundles.ts";

export const operatorToken = "operator-token-of-the-benchmark";

const variables = {
  OPERATOR_TOKEN: operatorToken,
  SESSION_SECRET: "session-secret-of-the-benchmark-0123456789",
  WEBHOOK_SIGNING_SECRET: "webhook-secret-of-the-benchmark-0123456789",
  REQUESTS_PER_SECOND_PER_ADDRESS: "1000000",
};

const front = "duka-front";

export type Runtime = Readonly<{
  /** workerd's own socket to the front: no proxy in between. */
  origin: URL;
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
    recentLines: () => lines.slice(-20),
    stop: () => miniflare.dispose(),
  };
}

/** Milliseconds from nothing to the answer of a Worker that runs alone, its runtime's start included. */
export async function firstAnswerMs(modules: Bundle["modules"], bundle?: Bundle): Promise<number> {
  const started = performance.now();
  const miniflare = new Miniflare({
    ...quiet([]),
    ...(bundle && datesOf(bundle)),
    name: "alone",
    modules,
    bindings: variables,
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  });
  try {
    await fetch(new URL("/healthz", await miniflare.unsafeGetDirectURL("alone")));
    return performance.now() - started;
  } finally {
    await miniflare.dispose();
  }
}

const quiet = (lines: string[]) =>
  ({
    log: new NoOpLog(),
    cf: false,
    host: "127.0.0.1",
    port: 0,
    handleRuntimeStdio(stdout, stderr) {
      for (const stream of [stdout, stderr]) {
        stream.on("data", (text: Buffer) => lines.push(text.toString()));
      }
    },
  }) satisfies Partial<MiniflareOptions>;

function optionsOf(bundle: Bundle): WorkerOptions {
  const settings = settingsOf(bundle);
  return {
    ...datesOf(bundle),
    name: bundle.name,
    modules: [...bundle.modules],
    bindings: { ...settings.bindings, ...variables },
    serviceBindings: settings.serviceBindings,
    d1Databases: settings.d1Databases,
    r2Buckets: settings.r2Buckets,
    queueProducers: settings.queueProducers,
    queueConsumers: settings.queueConsumers,
    durableObjects: settings.durableObjects,
    ...(bundle.name === front && { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] }),
  };
}

const settingsOf = ({ config }: Bundle) =>
  unstable_getMiniflareWorkerOptions(join(root, config)).workerOptions;

function datesOf(bundle: Bundle) {
  const { compatibilityDate, compatibilityFlags } = settingsOf(bundle);
  return { compatibilityDate, compatibilityFlags };
}
