import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Keeps them from the garbage collector, which would close their files and so release the locks. */
const lockedFiles = new Set<DatabaseSync>();

/**
 * Takes the lock of a state folder. The system releases it when this process ends in any way. SQLite
 * locks its file on every system and also between containers that share the folder.
 *
 * @returns what releases the lock; null when another process has it.
 */
export function lockState(stateDir: string): (() => void) | null {
  const file = new DatabaseSync(join(stateDir, "lock.sqlite"));
  try {
    file.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
    lockedFiles.add(file);
    return () => {
      lockedFiles.delete(file);
      file.close();
    };
  } catch (error) {
    file.close();
    if (error instanceof Error && /locked/.test(error.message)) return null;
    throw error;
  }
}
