import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Demo, parseDemo } from "../seed/demo.ts";

/** Deletes what `npm run dev` wrote into the folder and leaves other files alone. */
export function clearState(stateDir: string): void {
  for (const name of ["v3", "logs", "migrations.json", "demo.json"]) {
    rmSync(join(stateDir, name), { recursive: true, force: true });
  }
}

/** Reads the demo shops and their keys; the databases store only hashes of the keys. */
export const readDemo = (stateDir: string): Demo | null =>
  existsSync(demoFile(stateDir)) ? parseDemo(readFileSync(demoFile(stateDir), "utf8")) : null;

export const writeDemo = (stateDir: string, demo: Demo): void =>
  writeFileSync(demoFile(stateDir), `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });

/** Checks that the databases have every shop of the file and accept its key. */
export async function demoExists(demo: Demo, origin: string): Promise<boolean> {
  const responses = await Promise.all(
    demo.shops.map(({ id, keys }) =>
      fetch(`${origin}/v1/businesses/${id}`, { headers: { "X-API-Key": keys.secret } }),
    ),
  );
  return responses.every(({ ok }) => ok);
}

const demoFile = (stateDir: string): string => join(stateDir, "demo.json");
