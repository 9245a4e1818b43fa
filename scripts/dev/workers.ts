import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { root, workerConfigs, wranglerBin, wranglerEnv } from "./paths.ts";
import { isError, isNoise } from "./wrangler-log.ts";

export type Workers = Readonly<{
  /** Resolves when every Worker responds to its health check. */
  waitUntilReady(origin: string): Promise<void>;
  /** From now on, prints the log lines of the Workers. */
  forwardLogs(): void;
  /**
   * Triggers the background Worker's cron every minute, because `wrangler dev` does not trigger
   * cron.
   */
  fireCron(origin: string): void;
  recentLines(): readonly string[];
  stop(): Promise<void>;
  /** Resolves with the exit code when wrangler exits on its own, without a call of `stop`. */
  exited: Promise<number>;
}>;

const healthPaths = ["/healthz", "/api/v1/healthz", "/v1/link/healthz", "/v1/businesses/healthz"];
const cronIntervalMs = 60_000;
const killAfterMs = 3_000;
const healthPollMs = 50;

/** Starts all Workers on one port. */
export function startWorkers({ port, stateDir }: { port: number; stateDir: string }): Workers {
  const configs = workerConfigs.flatMap((config) => ["-c", config]);
  const args = ["dev", ...configs, "--port", String(port), "--persist-to", stateDir];
  const child = spawn(
    process.execPath,
    [wranglerBin, ...args, "--show-interactive-dev-session=false"],
    // Detached, because wrangler and its children then form a process group that one signal can
    // stop.
    { cwd: root, env: { ...process.env, ...wranglerEnv }, stdio: "pipe", detached: true },
  );
  child.stdin.end();
  // Stops the Workers when this process exits for any reason.
  process.once("exit", () => child.pid !== undefined && signalGroup(child.pid, "SIGKILL"));

  const bufferedLines: string[] = [];
  let isForwarding = false;
  const handleLine = (line: string) => {
    if (isNoise(line)) return;
    // Prints the error of a Worker that fails to build, because that Worker never becomes ready.
    isForwarding ||= isError(line);
    if (isForwarding) console.log(line);
    else bufferedLines.push(line);
  };
  for (const stream of [child.stdout, child.stderr]) onEachLine(stream, handleLine);

  let isStopping = false;
  const exited = new Promise<number>((resolve) => {
    child.once("exit", (code) => {
      if (isStopping) return;
      console.error(bufferedLines.join("\n"));
      resolve(code ?? 1);
    });
  });

  return {
    exited,
    recentLines: () => bufferedLines,
    async waitUntilReady(origin) {
      await Promise.all(healthPaths.map((path) => waitUntilHealthy(`${origin}${path}`)));
    },
    forwardLogs() {
      isForwarding = true;
    },
    fireCron(origin) {
      const fire = () =>
        void fetch(`${origin}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`).catch(() => {});
      setInterval(fire, cronIntervalMs).unref();
    },
    async stop() {
      isStopping = true;
      if (child.exitCode !== null || child.pid === undefined) return;
      const { pid } = child;
      const hasExited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      signalGroup(pid, "SIGINT");
      const timer = setTimeout(() => signalGroup(pid, "SIGKILL"), killAfterMs);
      await hasExited;
      clearTimeout(timer);
      signalGroup(pid, "SIGKILL");
    },
  };
}

/** Whether no process listens on the port, neither on 127.0.0.1 nor on ::1. */
export async function isPortFree(port: number): Promise<boolean> {
  const results = await Promise.all(["127.0.0.1", "::1"].map((host) => canListen(port, host)));
  return results.every(Boolean);
}

const canListen = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    // Without IPv6 there is no ::1, so nothing can listen there.
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code === "EADDRNOTAVAIL"));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });

/** Sends a signal to a process group. Does nothing when the group has already exited. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {}
}

function onEachLine(stream: NodeJS.ReadableStream, handle: (line: string) => void): void {
  let incompleteLine = "";
  stream.setEncoding("utf8").on("data", (text: string) => {
    const lines = (incompleteLine + text).split("\n");
    incompleteLine = lines.pop() ?? "";
    for (const line of lines) handle(line);
  });
}

async function waitUntilHealthy(url: string): Promise<void> {
  for (;;) {
    const isHealthy = await fetch(url).then(
      ({ status }) => status < 500,
      () => false,
    );
    if (isHealthy) return;
    await new Promise((resolve) => setTimeout(resolve, healthPollMs));
  }
}
