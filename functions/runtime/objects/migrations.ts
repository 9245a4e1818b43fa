/** `converts`: changes what an earlier release stored, so that a new database has nothing for it. */
export type Migration = string | Readonly<{ converts: string }>;

/** How far the object's own database came. */
const doneOf = (storage: DurableObjectStorage): number => storage.kv.get<number>("migrations") ?? 0;

/** Whether the object's own database has tables. */
export const isMigrated = (storage: DurableObjectStorage): boolean => doneOf(storage) > 0;

/**
 * Runs the tail of an append-only list of migrations on an object's own database, and remembers how
 * far it came: all of it or nothing.
 */
export function migrate(storage: DurableObjectStorage, migrations: readonly Migration[]): void {
  const done = doneOf(storage);
  if (done >= migrations.length) return;
  storage.transactionSync(() => {
    for (const migration of migrations.slice(done)) {
      if (typeof migration === "string") storage.sql.exec(migration);
      else if (done > 0) storage.sql.exec(migration.converts);
    }
    storage.kv.put("migrations", migrations.length);
  });
}
