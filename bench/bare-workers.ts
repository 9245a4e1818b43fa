import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { silentOptions } from "./runtime.ts";

export type BareRuntime = Readonly<{ origin: URL; stop(): Promise<void> }>;

type BareWorker = Readonly<{
  name: string;
  script: string;
  serviceBindings?: Record<string, string>;
  durableObjects?: Record<string, { className: string; useSQLite: true }>;
  d1Databases?: Record<string, string>;
}>;

/**
 * Starts Workers of a few lines, which show how fast this machine can be at most. Their objects
 * and databases are on disk like Duka's. `origin` is the address of the first Worker.
 */
export async function startBareWorkers(
  workers: readonly [BareWorker, ...BareWorker[]],
): Promise<BareRuntime> {
  const folder = mkdtempSync(join(tmpdir(), "duka-bench-floor-"));
  const [{ name: entry }] = workers;
  const miniflare = new Miniflare({
    ...silentOptions([]),
    durableObjectsPersist: join(folder, "do"),
    d1Persist: join(folder, "d1"),
    workers: workers.map(({ name, script, ...bindings }) => ({
      ...bindings,
      name,
      modules: [{ type: "ESModule", path: `${name}.js`, contents: script }],
      compatibilityDate: "2026-07-30",
      ...(name === entry && { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] }),
    })),
  });
  await miniflare.ready;
  return {
    origin: await miniflare.unsafeGetDirectURL(entry),
    async stop() {
      await miniflare.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
