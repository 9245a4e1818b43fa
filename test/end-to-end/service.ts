import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseEnv, stripVTControlCharacters } from "node:util";
import { descendantsOf, kill } from "./processes.ts";

export const root = resolve(import.meta.dirname, "../..");

const readyWithinMs = 120_000;
const stopsWithinMs = 30_000;
/** The last words of the greeting, with or without demo shops. */
const lastWords = "Ctrl-C ends";

export type Place = Readonly<{ port: number; stateDir: string }>;

export type Service = Readonly<{
  origin: string;
  output(): string;
  stop(): Promise<void>;
}>;

/** Starts what `npm run dev` starts, and waits until it has greeted. */
export async function startService(place: Place, ...options: string[]): Promise<Service> {
  const process = run(place, options);
  try {
    await process.until(() => process.output().includes(lastWords), readyWithinMs);
  } catch (error) {
    await process.stop();
    throw error;
  }
  const { output, stop } = process;
  return { origin: `http://localhost:${place.port}`, output, stop };
}

/** Runs the same command where it is to end by itself. */
export async function runToEnd(place: Place): Promise<{ code: number | null; output: string }> {
  const process = run(place, []);
  try {
    return { code: await process.ended(), output: process.output() };
  } finally {
    await process.stop();
  }
}

/** A free port and an empty folder. */
export const newPlace = async (): Promise<Place> => ({
  port: await freePort(),
  stateDir: mkdtempSync(join(tmpdir(), "duka-sale-")),
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "localhost", listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === "string") throw new Error("No port was given.");
  return address.port;
}

export function operatorToken(): string {
  const { OPERATOR_TOKEN } = parseEnv(readFileSync(join(root, ".dev.vars"), "utf8"));
  if (!OPERATOR_TOKEN) throw new Error(".dev.vars names no OPERATOR_TOKEN.");
  return OPERATOR_TOKEN;
}

function run({ port, stateDir }: Place, options: readonly string[]) {
  const { NODE_ENV: _, ...environment } = process.env;
  const child = spawn(process.execPath, ["scripts/dev.ts", ...options], {
    cwd: root,
    env: { ...environment, PORT: String(port), STATE_DIR: stateDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // A run that is broken off leaves nothing behind: the command ends its Workers on SIGTERM.
  const endWithUs = () => child.kill("SIGTERM");
  process.once("exit", endWithUs);
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (piece: string) => {
      text += stripVTControlCharacters(piece);
    });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  void closed.then(() => process.off("exit", endWithUs));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;

  async function until(isDone: () => boolean, withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs;
    while (!isDone()) {
      if (hasEnded()) throw new Error(`npm run dev ended with ${child.exitCode}:\n${text}`);
      if (performance.now() > deadline)
        throw new Error(`npm run dev is not done after ${withinMs / 1_000} s:\n${text}`);
      await pause(50);
    }
  }

  async function ended(): Promise<number | null> {
    await Promise.race([closed, pause(stopsWithinMs, null, { ref: false })]);
    if (!hasEnded()) throw new Error(`npm run dev does not end:\n${text}`);
    return child.exitCode;
  }

  /** @throws when a process of the service outlives it; that process is ended all the same. */
  async function stop(): Promise<void> {
    if (hasEnded() || child.pid === undefined) return;
    const started = [child.pid, ...descendantsOf(child.pid)];
    child.kill("SIGINT");
    await ended().finally(() => {
      const left = kill(started);
      if (left.length > 0) throw new Error(`npm run dev left ${left.join(", ")} running:\n${text}`);
    });
  }

  return { output: () => text, until, ended, stop };
}
