import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Miniflare, NoOpLog, type WorkerOptions } from "miniflare";
import type { BuiltWorker } from "./build/build.ts";
import { logWorkerLine } from "./log.ts";
import { type Variables, variablesFor } from "./settings.ts";
import { stateVariable } from "./state/processes.ts";

export type Runtime = Readonly<{
  /** The address of the front Worker in workerd. */
  upstream: URL;
  runCron(): Promise<void>;
  stop(): Promise<void>;
}>;

export type RuntimeOptions = Readonly<{
  workers: readonly BuiltWorker[];
  stateDir: string;
  variables: Variables;
  outboundNetworks: readonly string[];
  /** workerd crashed and was started again, at this address. */
  onRestart: (upstream: URL) => void;
}>;

const front = "duka-front";
const background = "duka-background";
const cron = "* * * * *";

/** The folders of the databases, objects and files, as `npm run dev` names them too. */
export const persistence = (stateDir: string) => ({
  d1Persist: join(stateDir, "v3/d1"),
  r2Persist: join(stateDir, "v3/r2"),
  durableObjectsPersist: join(stateDir, "v3/do"),
});

type StructuredLine = Readonly<{ level: string; timestamp: number; message: string }>;

/** Options of every Miniflare that `npm run serve` starts. */
export const commonOptions = {
  log: new NoOpLog(),
  cf: false,
  host: "127.0.0.1",
  port: 0,
  handleStructuredLogs: ({ level, timestamp, message }: StructuredLine) =>
    logWorkerLine(level, timestamp, message),
} as const satisfies Partial<ConstructorParameters<typeof Miniflare>[0]>;

/** Runs the built Workers in workerd. */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { workers, stateDir, onRestart } = options;
  prepareEnvironment(stateDir);
  const miniflare = new Miniflare({
    ...commonOptions,
    ...persistence(stateDir),
    workers: [...workers].sort(bySize).map((worker) => workerOptionsFor(worker, options)),
    unsafeHandleRuntimeRestart: async () => {
      onRestart(await miniflare.unsafeGetDirectURL(front));
    },
  });
  removeExitOnSignal();
  await miniflare.ready;
  return {
    upstream: await miniflare.unsafeGetDirectURL(front),
    runCron: async () => {
      // Got for each run, because it does not outlive a crash of workerd.
      const scheduler = await miniflare.getWorker(background);
      await scheduler.scheduled({ cron });
    },
    stop: () => miniflare.dispose(),
  };
}

/**
 * The largest come last, because Miniflare copies the configuration that it has written so far
 * whenever it adds to it. This halves the time of the start.
 */
const bySize = (a: BuiltWorker, b: BuiltWorker): number => bytesOf(a) - bytesOf(b);

const bytesOf = ({ modules }: BuiltWorker): number =>
  modules.reduce((sum, { contents }) => sum + contents.length, 0);

function workerOptionsFor(
  { name, settings, modules, assets }: BuiltWorker,
  { variables, outboundNetworks }: RuntimeOptions,
): WorkerOptions {
  return {
    ...settings,
    name,
    modules: [...modules],
    bindings: { ...settings.bindings, ...variablesFor(name, variables) },
    // A hostname may lead to a private address. The network refuses it when it connects.
    outboundService: {
      network: {
        allow: [...outboundNetworks],
        tlsOptions: { trustBrowserCas: true, trustedCertificates: extraCertificates() },
      },
    },
    ...(assets && { assets }),
    // With `proxy` the request line has the whole URL, and so the scheme of the client.
    ...(name === front && {
      unsafeDirectSockets: [{ host: "127.0.0.1", port: 0, proxy: true }],
    }),
  };
}

/** The certificates of NODE_EXTRA_CA_CERTS, for a provider or a relay with a private authority. */
function extraCertificates(): string[] {
  const file = process.env.NODE_EXTRA_CA_CERTS;
  if (!file) return [];
  const certificate = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
  return readFileSync(file, "utf8").match(certificate) ?? [];
}

/** Lets Miniflare start workerd through workerd.sh, with the state folder in its environment. */
export function prepareEnvironment(stateDir: string): void {
  const { default: workerd }: { default: string } = createRequire(import.meta.resolve("miniflare"))(
    "workerd",
  );
  process.env.DUKA_WORKERD = workerd;
  process.env.MINIFLARE_WORKERD_PATH = join(import.meta.dirname, "workerd.sh");
  process.env[stateVariable] = stateDir;
}

/** Miniflare kills workerd and exits on these signals, while requests are running. */
export function removeExitOnSignal(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.removeAllListeners(signal);
}
