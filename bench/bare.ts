import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { quiet } from "./runtime.ts";

export type Bare = Readonly<{ origin: URL; stop(): Promise<void> }>;

type BareWorker = Readonly<{
  name: string;
  script: string;
  serviceBindings?: Record<string, string>;
  durableObjects?: Record<string, { className: string; useSQLite: true }>;
}>;

/**
 * Workers of a few lines, that tell what the machine carries: their objects are on disk, as the
 * service's are. The first is the one that is asked.
 */
export async function startBare(workers: readonly [BareWorker, ...BareWorker[]]): Promise<Bare> {
  const folder = mkdtempSync(join(tmpdir(), "duka-bench-floor-"));
  const [{ name: door }] = workers;
  const miniflare = new Miniflare({
    ...quiet([]),
    durableObjectsPersist: folder,
    workers: workers.map(({ name, script, ...bindings }) => ({
      ...bindings,
      name,
      modules: [{ type: "ESModule", path: `${name}.js`, contents: script }],
      compatibilityDate: "2026-07-30",
      ...(name === door && { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] }),
    })),
  });
  await miniflare.ready;
  return {
    origin: await miniflare.unsafeGetDirectURL(door),
    async stop() {
      await miniflare.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
