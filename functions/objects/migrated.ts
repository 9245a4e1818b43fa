/**
 * Runs the tail of an append-only list of migrations on an object's own database, and remembers how
 * far it came: all of it or nothing.
 */
export function migrate(storage: DurableObjectStorage, migrations: readonly string[]): void {
  const done = storage.kv.get<number>("migrations") ?? 0;
  if (done >= migrations.length) return;
  storage.transactionSync(() => {
    for (const migration of migrations.slice(done)) storage.sql.exec(migration);
    storage.kv.put("migrations", migrations.length);
  });
}
