import type { OwnTables } from "../../../shared/database/index.ts";
import { day } from "../../../shared/kernel/index.ts";
import type { Alarms } from "./alarms.ts";
import { isMigrated, type Migration, migrate } from "./migrations.ts";

/** A use is noted at most so often: it costs no request a write of its own. */
const noteEveryMs = day;

export type KeptStorage = OwnTables &
  Readonly<{
    /** Before a write: makes the tables where there are none, and notes the use. */
    open(now: number): void;
    /** Notes that what is stored was used. */
    use(now: number): void;
    /** Until when it is kept should nobody use it any more; null when nothing is stored. */
    keptUntil(): number | null;
    /** Deletes everything, the alarm too. */
    wipe(): Promise<void>;
  }>;

/**
 * What an object stores: from its first write until it was not used for `keptMs`; before and after
 * its storage is empty. The due time `expiry` is set once and not moved by a use: whoever handles it
 * asks `keptUntil`.
 */
export function keptStorage(
  storage: DurableObjectStorage,
  {
    migrations,
    keptMs,
    alarms,
  }: Readonly<{ migrations: readonly Migration[]; keptMs: number; alarms: Alarms<"expiry"> }>,
): KeptStorage {
  let exists = isMigrated(storage);
  let usedAt = storage.kv.get<number>("used_at") ?? null;
  if (exists) migrate(storage, migrations); // what an earlier release stored

  function use(now: number): void {
    if (!exists || (usedAt !== null && now - usedAt < noteEveryMs)) return;
    usedAt = now;
    storage.kv.put("used_at", now);
    if (alarms.at("expiry") === null) alarms.set("expiry", now + keptMs);
  }

  return {
    sql: storage.sql,
    exist: () => exists,
    use,
    open(now) {
      if (!exists) migrate(storage, migrations);
      exists = true;
      use(now);
    },
    keptUntil: () => (usedAt === null ? null : usedAt + keptMs),
    async wipe() {
      exists = false;
      usedAt = null;
      await Promise.all([storage.deleteAlarm(), storage.deleteAll()]);
    },
  };
}
