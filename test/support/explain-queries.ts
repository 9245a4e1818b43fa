import { env } from "cloudflare:workers";
import { createMeter, openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { contextFor, type TestBusiness } from "./world.ts";

type ShopReader = ReturnType<typeof contextFor>;

/** The steps of SQLite's query plans, one list for each statement that `read` sends. */
export async function explainQueries(
  shop: TestBusiness,
  read: (reader: ShopReader) => Promise<unknown>,
): Promise<string[][]> {
  const database = shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business);
  const statements: [string, unknown[]][] = [];
  const recording = {
    prepare: (query: string) => ({
      bind: (...values: unknown[]) => {
        statements.push([query, values]);
        return database.prepare(query).bind(...values);
      },
    }),
    batch: database.batch.bind(database),
  } as unknown as D1Database; // safe: drizzle prepares, binds and batches
  await read({ ...contextFor(shop), db: openDb(recording, createMeter()) }).catch(() => null); // the records do not exist
  const plans = statements.map(([query, values]) =>
    database.prepare(`explain query plan ${query}`).bind(...values),
  );
  const steps = await database.batch<{ detail: string }>(plans);
  return steps.map(({ results }) => results.map(({ detail }) => detail));
}
