// `npm run serve` runs the built Workers on this machine, without Cloudflare (docs/self-hosting.md).
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { loadBuild } from "./serve/build/build.ts";
import { assertHealthy, isHealthy } from "./serve/health.ts";
import { startProxy } from "./serve/http/proxy.ts";
import { log } from "./serve/log.ts";
import { migrate } from "./serve/migrate.ts";
import { startRuntime } from "./serve/runtime.ts";
import { loadSecrets } from "./serve/secrets.ts";
import { readSettings, type ServeSettings } from "./serve/settings.ts";
import { lockState } from "./serve/state/lock.ts";
import { endLeftoverWorkers } from "./serve/state/processes.ts";

const cronIntervalMs = 60_000;
/** Docker kills a container ten seconds after its SIGTERM. */
const stopTimeoutMs = 8_000;

try {
  await serve(readSettings(process.env));
} catch (error) {
  fail(error);
}

async function serve(settings: ServeSettings): Promise<void> {
  const { host, port, isTrustedProxy, outboundNetworks } = settings;
  const stateDir = prepareStateDir(settings.stateDir);
  if (lockState(stateDir) === null)
    throw new Error(`Another server uses ${stateDir}. Stop it, or set another STATE_DIR.`);
  const leftover = await endLeftoverWorkers(stateDir);
  if (leftover > 0) log("warn", "ended the Workers of a killed server", { processes: leftover });
  prepareTemporaryFiles(stateDir);
  const workers = await loadBuild((message) => log("info", message));
  const { variables, newOperatorToken } = loadSecrets(stateDir, settings.variables);
  const background = workers.find(({ name }) => name === "duka-background");
  if (!background) throw new Error("The build has no background Worker. Run npm run build.");

  let upstream: URL | null = null;
  let isChecked = false;
  // Listens first, so that a second server on this port fails before it migrates anything.
  const proxy = await startProxy({
    ...{ host, port, isTrustedProxy },
    onError: (error) => log("warn", "no response from the Workers", { error: String(error) }),
    isReady: async () => isChecked && upstream !== null && isHealthy(upstream),
  });
  const connect = (to: URL) => {
    upstream = to;
    proxy.connect(to);
  };
  await migrate(stateDir, background.settings);
  const runtime = await startRuntime({
    ...{ workers, stateDir, variables, outboundNetworks },
    onRestart: (to) => {
      log("error", "workerd crashed and was started again");
      connect(to);
    },
  });
  connect(runtime.upstream);
  const runCron = () =>
    runtime
      .runCron()
      .catch((error: unknown) => log("error", "cron failed", { error: String(error) }));
  // Queues are in memory. The jobs find what was queued when an earlier server ended.
  void runCron();
  const timer = setInterval(runCron, cronIntervalMs);

  async function stop(signal: NodeJS.Signals): Promise<void> {
    log("info", "stopping", { signal });
    clearInterval(timer);
    await proxy.close(stopTimeoutMs);
    await runtime.stop();
    log("info", "stopped");
    process.exit(0);
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => void stop(signal).catch(fail));

  if (newOperatorToken !== null) log("info", "drew OPERATOR_TOKEN", { token: newOperatorToken });
  await assertHealthy(runtime.upstream);
  isChecked = true;
  log("info", "ready", {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${proxy.port}`,
    state_dir: stateDir,
    seconds: Number(process.uptime().toFixed(2)),
  });
}

/** Creates the state folder, which only its owner may read. */
function prepareStateDir(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (existsSync(join(folder, "demo.json")))
    throw new Error(`${folder} belongs to npm run dev. Set another STATE_DIR.`);
  chmodSync(folder, 0o700);
  return realpathSync(folder);
}

/** Keeps Miniflare's temporary files in the state folder, and removes those of a killed server. */
function prepareTemporaryFiles(stateDir: string): void {
  const folder = join(stateDir, "tmp");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  process.env.TMPDIR = folder;
}

function fail(error: unknown): never {
  log("error", "cannot serve", { error: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
