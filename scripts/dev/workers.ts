import { spawn } from "node:child_process";
import { isError, isNoise } from "./noise.ts";
import { root, workerConfigs, wranglerBin, wranglerEnv } from "./places.ts";

export type Workers = Readonly<{
  /** Settles when every Worker answers. */
  ready(origin: string): Promise<void>;
  /** From here on the Workers' lines are shown as they come. */
  forwardLogs(): void;
  /** Wrangler fires no cron: the front passes this one on to the background Worker. */
  fireCron(origin: string): void;
  recentLines(): readonly string[];
  stop(): Promise<void>;
  /** Settles, with the exit code, when wrangler ends by itself. */
  ended: Promise<number>;
}>;

const healthPaths = ["/healthz", "/api/v1/healthz", "/v1/link/healthz", "/v1/businesses/healthz"];
const minute = 60_000;

/** Starts all Workers behind one port. */
export function startWorkers({ port, stateDir }: { port: number; stateDir: string }): Workers {
  const configs = workerConfigs.flatMap((config) => ["-c", config]);
  const args = ["dev", ...configs, "--port", String(port), "--persist-to", stateDir];
  const child = spawn(
    process.execPath,
    [wranglerBin, ...args, "--show-interactive-dev-session=false"],
    // A group of its own, so that stopping reaches wrangler's children as well.
    { cwd: root, env: { ...process.env, ...wranglerEnv }, stdio: "pipe", detached: true },
  );
  child.stdin.end();
  // However this process ends, the Workers do not outlive it.
  process.once("exit", () => child.pid !== undefined && signalGroup(child.pid, "SIGKILL"));

  const kept: string[] = [];
  let isLoud = false;
  const show = (line: string) => {
    if (isNoise(line)) return;
    // A Worker that does not build never answers: its errors must not wait for that.
    isLoud ||= isError(line);
    if (isLoud) console.log(line);
    else kept.push(line);
  };
  for (const stream of [child.stdout, child.stderr]) onLines(stream, show);

  let isStopping = false;
  const ended = new Promise<number>((resolve) => {
    child.once("exit", (code) => {
      if (isStopping) return;
      console.error(kept.join("\n"));
      resolve(code ?? 1);
    });
  });

  return {
    ended,
    recentLines: () => kept,
    async ready(origin) {
      await Promise.all(healthPaths.map((path) => answers(`${origin}${path}`)));
    },
    forwardLogs() {
      isLoud = true;
    },
    fireCron(origin) {
      const fire = () =>
        void fetch(`${origin}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`).catch(() => {});
      setInterval(fire, minute).unref();
    },
    async stop() {
      isStopping = true;
      if (child.exitCode !== null || child.pid === undefined) return;
      const { pid } = child;
      const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      signalGroup(pid, "SIGINT");
      const timer = setTimeout(() => signalGroup(pid, "SIGKILL"), 3_000);
      await exited;
      clearTimeout(timer);
      signalGroup(pid, "SIGKILL");
    },
  };
}

/** A group that is gone already is no failure. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {}
}

function onLines(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  });
}

async function answers(url: string): Promise<void> {
  for (;;) {
    const isUp = await fetch(url).then(
      ({ status }) => status < 500,
      () => false,
    );
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
