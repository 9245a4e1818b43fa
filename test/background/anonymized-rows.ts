import { movedTables } from "../../shared/moves/index.ts";
import { selectRows } from "../support/select-rows.ts";
import type { TestBusiness } from "../support/world.ts";

/** A row without ids, times and digests, which differ between businesses. */
export const anonymizeRow = (row: string): string =>
  row
    .replaceAll(/\b(?:ref_[0-9a-z]{27,}|[a-z]{2,5}_[0-9a-z]{26}\b)/g, "id")
    .replaceAll(/\b1\d{12}\b/g, "time")
    .replaceAll(/"id":\d+/g, '"id":0')
    .replaceAll(/"[^"]*[0-9a-zA-Z_+/-]{20,}[^"]*"/g, '"opaque"')
    .replaceAll(/SHOP_\d/g, "shard")
    .replaceAll(/"slug":"test-shop-\w+"/g, '"slug":"test-shop"');

/** All rows of a business in its shard, anonymized. */
export async function loadAnonymizedShopRows(shop: TestBusiness): Promise<string[]> {
  const tables = await Promise.all(
    movedTables.map(async ({ name, businessIdOf }) => {
      const query = `select * from ${name} as own where ${businessIdOf("own")} = ?`;
      const rows = await selectRows(shop, query, shop.business.id);
      return rows.map((row) => `${name} ${JSON.stringify(row)}`);
    }),
  );
  return tables.flat().map(anonymizeRow).sort();
}
