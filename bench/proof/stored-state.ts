import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ShopDatabase } from "../runtime.ts";

const busyTimeoutMs = 5_000;

/** Opens the files of the shards in a state folder, also beside the Workers. */
export function openShards(
  stateDir: string,
  { readOnly = true }: { readOnly?: boolean } = {},
): Readonly<{
  databases: readonly ShopDatabase[];
  close(): void;
}> {
  const files = openDatabases(join(stateDir, "v3/d1/miniflare-D1DatabaseObject"), readOnly);
  return {
    databases: files.filter((file) => hasTable(file, "orders")).map(toShopDatabase),
    close: () => {
      for (const file of files) file.close();
    },
  };
}

/** The ids of the events of a business to which `subscribe` subscribes. */
export async function listEventIds(stateDir: string, businessId: string): Promise<string[]> {
  const { databases, close } = openShards(stateDir);
  const lists = await Promise.all(
    databases.map((database) => database.prepare(orderEvents).bind(businessId).all()),
  );
  close();
  return lists.flatMap(({ results }) => results.map((row) => String(Object(row).id)));
}

/** The number of checkouts in sessions that no response has ended: they run, or wait for payment. */
export function countOpenCheckouts(stateDir: string): number {
  const sessions = openDatabases(join(stateDir, "v3/do/duka-storefront-CartSession"));
  const counts = sessions
    .filter((session) => hasTable(session, "checkouts"))
    .map((session) => Number(session.prepare(openCheckouts).get()?.found ?? 0));
  for (const session of sessions) session.close();
  return counts.reduce((sum, count) => sum + count, 0);
}

const orderEvents = "select id from events where business_id = ?1 and type = 'order.created'";

const openCheckouts =
  "select count(*) as found from checkouts where status in ('running', 'unpaid')";

const openDatabases = (folder: string, readOnly = true): DatabaseSync[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(".sqlite"))
        .map((name) => new DatabaseSync(join(folder, name), { readOnly, timeout: busyTimeoutMs }))
    : [];

const hasTable = (database: DatabaseSync, name: string): boolean =>
  database.prepare("select 1 from sqlite_schema where name = ?").get(name) !== undefined;

const toShopDatabase = (database: DatabaseSync): ShopDatabase => ({
  prepare: (sql) => ({
    bind: (...values) => ({
      all: async () => ({ results: database.prepare(sql).all(...values) }),
      run: async () => database.prepare(sql).run(...values),
    }),
  }),
});
