const migrationCount = (storage: DurableObjectStorage): number =>
  storage.kv.get<number>("migrations") ?? 0;

/** Whether the object's own database has any tables. */
export const isMigrated = (storage: DurableObjectStorage): boolean => migrationCount(storage) > 0;

/**
 * The tables of an object's own database. `create` makes in one script what all migrations together
 * leave, because a new object needs much less time for it than for every change since.
 */
export type ObjectSchema = Readonly<{
  /** Only append to this list: the object stores how many migrations it has run, not which ones. */
  migrations: readonly string[];
  create: string;
}>;

/** Creates the tables of a new object, or runs an older object's new migrations, in one transaction. */
export function migrate(storage: DurableObjectStorage, { migrations, create }: ObjectSchema): void {
  const appliedCount = migrationCount(storage);
  if (appliedCount >= migrations.length) return;
  const scripts = appliedCount === 0 ? [create] : migrations.slice(appliedCount);
  storage.transactionSync(() => {
    for (const script of scripts) storage.sql.exec(script);
    storage.kv.put("migrations", migrations.length);
  });
}
