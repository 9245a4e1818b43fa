import { findWorkerProcesses } from "../scripts/serve/state/processes.ts";
import { findPort, startServer } from "./proof/server-process.ts";
import { openShards } from "./proof/stored-state.ts";
import type { BenchRuntime } from "./runtime.ts";

/** Runs `npm run serve`, so that its cost is measured too: its process in front of workerd. */
export async function startServedRuntime(stateDir: string): Promise<BenchRuntime> {
  const server = await startServer(stateDir, await findPort());
  const shards = openShards(stateDir, { readOnly: false });
  return {
    origin: server.origin,
    shopDatabases: async () => shards.databases,
    recentLines: () => server.failures(),
    // Miniflare runs in the server's process, so workerd is no child of this one.
    processIds: () => findWorkerProcesses(stateDir),
    async stop() {
      shards.close();
      await server.stop();
    },
  };
}
