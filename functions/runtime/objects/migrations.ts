const migrationCount = (storage: DurableObjectStorage): number =>
  storage.kv.get<number>("migrations") ?? 0;

/** Whether the object's own database has any tables. */
export const isMigrated = (storage: DurableObjectStorage): boolean => migrationCount(storage) > 0;

/**
 * Runs the new migrations of an object's own database in one transaction. Only append to the list:
 * the object stores how many migrations it has run, not which ones.
 */
export function migrate(storage: DurableObjectStorage, migrations: readonly string[]): void {
  const appliedCount = migrationCount(storage);
  if (appliedCount >= migrations.length) return;
  storage.transactionSync(() => {
    for (const migration of migrations.slice(appliedCount)) storage.sql.exec(migration);
    storage.kv.put("migrations", migrations.length);
  });
}
