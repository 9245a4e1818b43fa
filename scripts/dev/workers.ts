import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { root, workerConfigs, wranglerBin, wranglerEnv } from "./paths.ts";
import { isError, isNoise } from "./wrangler-log.ts";

export type Workers = Readonly<{
  /**
   * Resolves when every Worker responds to its health check.
   * @throws Error when wrangler exits before.
   */
  waitUntilReady(): Promise<void>;
  /** Whether the Workers respond to a health check. */
  isHealthy(): Promise<boolean>;
  /** From now on, prints the log lines of the Workers. */
  forwardLogs(): void;
  recentLines(): readonly string[];
  stop(): Promise<void>;
}>;

const healthPaths = [
  "/healthz",
  "/api/v1/healthz",
  "/v1/link/healthz",
  "/v1/businesses/healthz",
  "/agents/healthz",
];
const cronIntervalMs = 60_000;
const killAfterMs = 3_000;
const readinessPollMs = 50;
/** A busy machine takes seconds for the first request of a Worker. */
const healthTimeoutMs = 10_000;
const readinessTimeoutMs = 60_000;
/** Wrangler restarts a crashed runtime and says that it is ready, but it responds no more. */
const crashLine = /The Workers runtime crashed/;

/** Starts all Workers on one port. */
export function startWorkers({
  port,
  stateDir,
  demoKeysUrl,
}: {
  port: number;
  stateDir: string;
  /** Where the front Worker finds the keys of the demo shops. */
  demoKeysUrl: string;
}): Workers {
  const configs = workerConfigs.flatMap((config) => ["-c", config]);
  const variables = [
    ...["--var", `DEMO_KEYS_URL:${demoKeysUrl}`, "--var", `MAILBOX_URL:${demoKeysUrl}messages`],
  ];
  const args = ["dev", ...configs, "--port", String(port), "--persist-to", stateDir, ...variables];
  const child = spawn(
    process.execPath,
    [wranglerBin, ...args, "--show-interactive-dev-session=false"],
    // Detached, because wrangler and its children then form a process group that one signal can
    // stop.
    { cwd: root, env: { ...process.env, ...wranglerEnv }, stdio: "pipe", detached: true },
  );
  child.stdin.end();
  const kill = () => signalGroup(child.pid, "SIGKILL");
  // Stops the Workers when this process exits for any reason.
  process.once("exit", kill);

  const origin = `http://localhost:${port}`;
  const bufferedLines: string[] = [];
  let isForwarding = false;
  let hasCrashed = false;
  const handleLine = (line: string) => {
    hasCrashed ||= crashLine.test(line);
    if (isNoise(line)) return;
    // Prints the error of a Worker that fails to build, because that Worker never becomes ready.
    isForwarding ||= isError(line);
    if (isForwarding) console.log(line);
    else bufferedLines.push(line);
  };
  for (const stream of [child.stdout, child.stderr]) onEachLine(stream, handleLine);

  const hasExited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const failure = hasExited.then((): never => {
    throw new Error(`wrangler exited with ${child.exitCode ?? child.signalCode}.`);
  });
  failure.catch(() => {}); // an exit matters only while somebody waits for the start

  return {
    recentLines: () => bufferedLines,
    isHealthy: async () => !hasCrashed && respondsAt(`${origin}/healthz`, healthTimeoutMs),
    async waitUntilReady() {
      const ready = Promise.all(healthPaths.map((path) => waitUntilHealthy(`${origin}${path}`)));
      await Promise.race([ready, failure]);
    },
    forwardLogs() {
      isForwarding = true;
    },
    async stop() {
      signalGroup(child.pid, "SIGINT");
      const timer = setTimeout(kill, killAfterMs);
      await hasExited;
      clearTimeout(timer);
      kill(); // Workers can outlive wrangler
      process.off("exit", kill);
    },
  };
}

/** Triggers the background Worker's cron every minute, because `wrangler dev` does not. */
export function fireCron(origin: string): void {
  const fire = () => void fetch(`${origin}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`).catch(() => {});
  setInterval(fire, cronIntervalMs).unref();
}

/**
 * Finds a free port below those that systems give to connections, because one of those may be taken
 * before the Workers listen on it.
 */
export async function findFreePort(): Promise<number> {
  const [lowest, highest] = [20_000, 32_000];
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (await isPortFree(port)) return port;
  }
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
function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
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
  while (!(await respondsAt(url, readinessTimeoutMs))) {
    await new Promise((resolve) => setTimeout(resolve, readinessPollMs));
  }
}

const respondsAt = (url: string, timeoutMs: number): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).then(
    ({ status }) => status < 500,
    () => false,
  );
