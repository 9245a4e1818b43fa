import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Demo, parseDemo } from "../seed/demo.ts";

const fileIn = (stateDir: string) => join(stateDir, "demo.json");

/** The demo shops and their keys: the databases hold only the keys' hashes. Development alone. */
export const readDemo = (stateDir: string): Demo | null =>
  existsSync(fileIn(stateDir)) ? parseDemo(readFileSync(fileIn(stateDir), "utf8")) : null;

export const writeDemo = (stateDir: string, demo: Demo): void =>
  writeFileSync(fileIn(stateDir), `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });

/** Whether the databases still know the shops of the file. */
export async function demoExists(demo: Demo, origin: string): Promise<boolean> {
  const answers = await Promise.all(
    demo.shops.map(({ id, keys }) =>
      fetch(`${origin}/v1/businesses/${id}`, { headers: { "X-API-Key": keys.secret } }),
    ),
  );
  return answers.every(({ ok }) => ok);
}
