import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

type Row = Record<string, SqlStorageValue>;

/** All that an object has stored. */
export type Stored = Readonly<{
  values: readonly (readonly [string, unknown])[];
  tables: readonly (readonly [string, readonly Row[]])[];
  alarm: number | null;
}>;

/** The objects of one shopper: the session, and its conversation. */
export type Objects = Readonly<{ sessionId: string; threadId: string }>;

const stubsOf = ({ sessionId, threadId }: Objects) => [
  env.CART_SESSION.getByName(sessionId),
  env.SUPPORT_CONVERSATION.getByName(threadId),
];

export const readStored = (objects: Objects): Promise<readonly Stored[]> =>
  Promise.all(
    stubsOf(objects).map((stub) => runInDurableObject(stub, (_, { storage }) => storedIn(storage))),
  );

async function storedIn(storage: DurableObjectStorage): Promise<Stored> {
  const tables = namesIn(storage).map(
    (name) => [name, storage.sql.exec<Row>(`select * from "${name}"`).toArray()] as const,
  );
  return { values: [...(await storage.list())], tables, alarm: await storage.getAlarm() };
}

const namesIn = (storage: DurableObjectStorage): readonly string[] =>
  storage.sql
    .exec<{ name: string }>(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name not like '\\_cf\\_%' escape '\\'",
    )
    .toArray()
    .map(({ name }) => name);

/** Puts the objects back to what they had stored; what they remember goes with them. */
export async function restoreStored(objects: Objects, stored: readonly Stored[]): Promise<void> {
  await Promise.all(
    stubsOf(objects).map(async (stub, index) => {
      const before = stored[index];
      if (before)
        await runInDurableObject(stub, async (_, { storage }) => {
          await write(storage, before);
        });
      await evictDurableObject(stub);
    }),
  );
}

async function write(
  storage: DurableObjectStorage,
  { values, tables, alarm }: Stored,
): Promise<void> {
  const { sql } = storage;
  const known = tables.map(([name]) => name);
  storage.transactionSync(() => {
    for (const name of namesIn(storage))
      sql.exec(known.includes(name) ? `delete from "${name}"` : `drop table "${name}"`);
    for (const [name, rows] of tables)
      for (const row of rows) {
        const marks = Object.keys(row).map(() => "?");
        sql.exec(`insert into "${name}" values (${marks.join(", ")})`, ...Object.values(row));
      }
  });
  await storage.delete([...(await storage.list()).keys()]);
  await storage.put(Object.fromEntries(values));
  await (alarm === null ? storage.deleteAlarm() : storage.setAlarm(alarm));
}

/** What a conversation tells its shop's list later it tells now. */
export async function tellNow({ threadId }: Objects): Promise<void> {
  await runDurableObjectAlarm(env.SUPPORT_CONVERSATION.getByName(threadId));
}
