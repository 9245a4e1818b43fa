import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

type ObjectTableRow = Record<string, SqlStorageValue>;

/** The whole storage of an object. */
export type ObjectStorage = Readonly<{
  values: readonly (readonly [string, unknown])[];
  tables: readonly (readonly [string, readonly ObjectTableRow[]])[];
  alarm: number | null;
}>;

/** A shopper's session object and conversation object. */
export type ShopperObjects = Readonly<{ sessionId: string; threadId: string }>;

const stubsOf = ({ sessionId, threadId }: ShopperObjects) => [
  env.CART_SESSION.getByName(sessionId),
  env.SUPPORT_CONVERSATION.getByName(threadId),
];

export const readObjectStorage = (objects: ShopperObjects): Promise<readonly ObjectStorage[]> =>
  Promise.all(
    stubsOf(objects).map((stub) =>
      runInDurableObject(stub, (_, { storage }) => readStorage(storage)),
    ),
  );

async function readStorage(storage: DurableObjectStorage): Promise<ObjectStorage> {
  const tables = tableNames(storage).map(
    (name) =>
      [name, storage.sql.exec<ObjectTableRow>(`select * from "${name}"`).toArray()] as const,
  );
  return { values: [...(await storage.list())], tables, alarm: await storage.getAlarm() };
}

const tableNames = (storage: DurableObjectStorage): readonly string[] =>
  storage.sql
    .exec<{ name: string }>(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name not like '\\_cf\\_%' escape '\\'",
    )
    .toArray()
    .map(({ name }) => name);

/** Restores the objects' storage and evicts them, so that their memory is lost too. */
export async function restoreObjectStorage(
  objects: ShopperObjects,
  stored: readonly ObjectStorage[],
): Promise<void> {
  await Promise.all(
    stubsOf(objects).map(async (stub, index) => {
      const before = stored[index];
      if (before)
        await runInDurableObject(stub, async (_, { storage }) => {
          await writeStorage(storage, before);
        });
      await evictDurableObject(stub);
    }),
  );
}

async function writeStorage(
  storage: DurableObjectStorage,
  { values, tables, alarm }: ObjectStorage,
): Promise<void> {
  const { sql } = storage;
  const known = tables.map(([name]) => name);
  storage.transactionSync(() => {
    for (const name of tableNames(storage))
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

/** Runs the alarm that copies the conversation into the shop's list. */
export async function syncConversationList({ threadId }: ShopperObjects): Promise<void> {
  await runDurableObjectAlarm(env.SUPPORT_CONVERSATION.getByName(threadId));
}
