import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { businessFences } from "./tables.ts";

/**
 * That a row's business may be written here. For statements on the rows of a whole shard: one row of
 * a business that is being moved would else undo them all.
 */
export const unfenced = (businessId: SQLWrapper): SQL =>
  sql`not exists (select 1 from ${businessFences} as fence
    where fence.business_id = ${businessId} and fence.state = 'closed')`;
