import { Miniflare } from "miniflare";
import { applyMigrations, type UseDatabases } from "../dev/databases.ts";
import type { WorkerSettings } from "./build/build.ts";
import { commonOptions, persistence, prepareEnvironment, removeExitOnSignal } from "./runtime.ts";

/**
 * Applies the migrations that the databases lack, before any Worker runs. Opens no database when
 * there are none.
 */
export const migrate = (stateDir: string, settings: WorkerSettings): Promise<void> =>
  applyMigrations(stateDir, useDatabasesOf(settings));

const useDatabasesOf =
  ({ d1Databases, compatibilityDate }: WorkerSettings): UseDatabases =>
  async (stateDir, use) => {
    prepareEnvironment(stateDir);
    const miniflare = new Miniflare({
      ...commonOptions,
      ...persistence(stateDir),
      workers: [{ name: "migrations", modules: true, script, d1Databases, compatibilityDate }],
    });
    removeExitOnSignal();
    try {
      const names = Object.keys(d1Databases ?? {});
      await use(
        await Promise.all(
          names.map(
            async (name): Promise<Parameters<typeof use>[0][number]> => [
              name,
              await miniflare.getD1Database(name),
            ],
          ),
        ),
      );
    } finally {
      await miniflare.dispose();
    }
  };

const script = "export default {};";
