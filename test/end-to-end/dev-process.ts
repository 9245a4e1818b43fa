import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseEnv, stripVTControlCharacters } from "node:util";
import { descendantsOf, findRunning, killRunning } from "./processes.ts";

export const root = resolve(import.meta.dirname, "../..");

const readyTimeoutMs = 120_000;
const stopTimeoutMs = 30_000;
const endTimeoutMs = 3_000;
/** The end of the greeting, also when seeding failed. */
const greetingEnd = "Ctrl-C ends";

/** The state folder of a run. Its port is any free one unless the test needs a certain one. */
export type DevInstance = Readonly<{ stateDir: string; port?: number }>;

export type Service = Readonly<{
  origin: string;
  output(): string;
  /** Waits until the command has printed a text. */
  waitForOutput(text: string): Promise<void>;
  /** Kills the processes of the Workers. */
  killWorkers(): void;
  stop(): Promise<void>;
}>;

/** Starts `npm run dev` and waits for its greeting. */
export async function startService(instance: DevInstance, ...options: string[]): Promise<Service> {
  const process = startDev(instance, options);
  try {
    await process.waitUntil(() => process.output().includes(greetingEnd), readyTimeoutMs);
  } catch (error) {
    await process.stop();
    throw error;
  }
  const { output, stop, killWorkers } = process;
  const origin = /(?:up|run) at (http:\/\/localhost:\d+)/.exec(output())?.[1];
  if (origin === undefined) throw new Error(`npm run dev printed no address:\n${output()}`);
  const waitForOutput = (text: string) =>
    process.waitUntil(() => output().includes(text), readyTimeoutMs);
  return { origin, output, waitForOutput, killWorkers, stop };
}

/** Runs `npm run dev` and waits until it exits by itself. */
export async function runUntilExit(
  instance: DevInstance,
): Promise<{ code: number | null; output: string }> {
  const process = startDev(instance, []);
  try {
    return { code: await process.waitForExit(), output: process.output() };
  } finally {
    await process.stop();
  }
}

/** Creates an empty state folder. */
export const createDevInstance = (): DevInstance => ({
  stateDir: mkdtempSync(join(tmpdir(), "duka-sale-")),
});

export function readOperatorToken(): string {
  const { OPERATOR_TOKEN } = parseEnv(readFileSync(join(root, ".dev.vars"), "utf8"));
  if (!OPERATOR_TOKEN) throw new Error(".dev.vars has no OPERATOR_TOKEN.");
  return OPERATOR_TOKEN;
}

function startDev({ stateDir, port = 0 }: DevInstance, options: readonly string[]) {
  const { NODE_ENV: _, ...environment } = process.env;
  const child = spawn(process.execPath, ["scripts/dev.ts", ...options], {
    cwd: root,
    env: { ...environment, PORT: String(port), STATE_DIR: stateDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // An aborted test run leaves no Workers: the command stops them on SIGTERM.
  const stopChild = () => child.kill("SIGTERM");
  process.once("exit", stopChild);
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += stripVTControlCharacters(chunk);
    });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  void closed.then(() => process.off("exit", stopChild));
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;

  async function waitUntil(isDone: () => boolean, timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!isDone()) {
      if (hasExited()) throw new Error(`npm run dev exited with ${child.exitCode}:\n${text}`);
      if (performance.now() > deadline)
        throw new Error(`npm run dev is not ready after ${timeoutMs / 1_000} s:\n${text}`);
      await pause(50);
    }
  }

  async function waitForExit(): Promise<number | null> {
    await Promise.race([closed, pause(stopTimeoutMs, null, { ref: false })]);
    if (!hasExited()) throw new Error(`npm run dev does not exit:\n${text}`);
    return child.exitCode;
  }

  /** @throws when a child process outlives the command; it is killed in any case. */
  async function stop(): Promise<void> {
    if (hasExited() || child.pid === undefined) return;
    const started = [child.pid, ...descendantsOf(child.pid)];
    child.kill("SIGINT");
    await waitForExit().finally(async () => {
      // A process that was killed takes a moment to end.
      const deadline = performance.now() + endTimeoutMs;
      while (findRunning(started).length > 0 && performance.now() < deadline) await pause(50);
      const left = killRunning(started);
      if (left.length > 0) throw new Error(`npm run dev left ${left.join(", ")} running:\n${text}`);
    });
  }

  const killWorkers = () =>
    void killRunning(child.pid === undefined ? [] : descendantsOf(child.pid, "workerd"));

  return { output: () => text, waitUntil, waitForExit, killWorkers, stop };
}
