import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseEnv, stripVTControlCharacters } from "node:util";
import { descendantsOf, killRunning } from "./processes.ts";

export const root = resolve(import.meta.dirname, "../..");

const readyTimeoutMs = 120_000;
const stopTimeoutMs = 30_000;
/** The end of the greeting, also when seeding failed. */
const greetingEnd = "Ctrl-C ends";

export type DevInstance = Readonly<{ port: number; stateDir: string }>;

export type Service = Readonly<{
  origin: string;
  output(): string;
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
  const { output, stop } = process;
  return { origin: `http://localhost:${instance.port}`, output, stop };
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

/** Chooses a free port and an empty state folder. */
export const createDevInstance = async (): Promise<DevInstance> => ({
  port: await findFreePort(),
  stateDir: mkdtempSync(join(tmpdir(), "duka-sale-")),
});

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}

export function readOperatorToken(): string {
  const { OPERATOR_TOKEN } = parseEnv(readFileSync(join(root, ".dev.vars"), "utf8"));
  if (!OPERATOR_TOKEN) throw new Error(".dev.vars has no OPERATOR_TOKEN.");
  return OPERATOR_TOKEN;
}

function startDev({ port, stateDir }: DevInstance, options: readonly string[]) {
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
    await waitForExit().finally(() => {
      const left = killRunning(started);
      if (left.length > 0) throw new Error(`npm run dev left ${left.join(", ")} running:\n${text}`);
    });
  }

  return { output: () => text, waitUntil, waitForExit, stop };
}
