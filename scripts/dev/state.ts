import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Demo, parseDemo } from "../seed/demo.ts";

/** Deletes the files of `npm run dev` in the folder and keeps all other files. */
export function clearState(stateDir: string): void {
  for (const name of ["v3", "logs", "registry", "migrations.json", "demo.json", "demo-port"]) {
    rmSync(join(stateDir, name), { recursive: true, force: true });
  }
}

/**
 * Reads the demo shops and their keys from a file, because the databases store only hashes of keys.
 */
export const readDemo = (stateDir: string): Demo | null =>
  existsSync(demoFile(stateDir)) ? parseDemo(readFileSync(demoFile(stateDir), "utf8")) : null;

export const writeDemo = (stateDir: string, demo: Demo): void =>
  writeFileSync(demoFile(stateDir), `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });

/** The port at which the demo shops' webhooks are received; 0 before the first start. */
export const readDemoPort = (stateDir: string): number =>
  existsSync(demoPortFile(stateDir)) ? Number(readFileSync(demoPortFile(stateDir), "utf8")) : 0;

export const writeDemoPort = (stateDir: string, port: number): void =>
  writeFileSync(demoPortFile(stateDir), String(port));

/** Whether the databases contain every shop of demo.json and accept the shop's key. */
export async function demoExists(demo: Demo, origin: string): Promise<boolean> {
  const responses = await Promise.all(
    demo.shops.map(({ id, keys }) =>
      fetch(`${origin}/v1/businesses/${id}`, { headers: { "X-API-Key": keys.secret } }),
    ),
  );
  return responses.every(({ ok }) => ok);
}

const demoPortFile = (stateDir: string): string => join(stateDir, "demo-port");

const demoFile = (stateDir: string): string => join(stateDir, "demo.json");
