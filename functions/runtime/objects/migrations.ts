const migrationCount = (storage: DurableObjectStorage): number =>
  storage.kv.get<number>("migrations") ?? 0;

/** Whether the object's own database has tables. */
export const isMigrated = (storage: DurableObjectStorage): boolean => migrationCount(storage) > 0;

/**
 * Runs the migrations that an object's own database has not run yet, in one transaction. The list
 * is append-only: the object remembers how many of them it has run.
 */
export function migrate(storage: DurableObjectStorage, migrations: readonly string[]): void {
  const done = migrationCount(storage);
  if (done >= migrations.length) return;
  storage.transactionSync(() => {
    for (const migration of migrations.slice(done)) storage.sql.exec(migration);
    storage.kv.put("migrations", migrations.length);
  });
}
