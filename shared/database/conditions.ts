import { type AnyColumn, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { businessFences } from "./tables.ts";

/**
 * The condition that the row's business is not fenced. Statements over all rows of a shard need it,
 * because a single fenced row would make them fail.
 */
export const isUnfenced = (businessId: SQLWrapper): SQL =>
  sql`not exists (select 1 from ${businessFences} as fence
    where fence.business_id = ${businessId} and fence.state = 'closed')`;

/**
 * The condition that the row belongs to the business, for rows that are found by id. The unary plus
 * keeps SQLite from searching by business.
 */
export const isRowOfBusiness = (businessId: AnyColumn, business: { id: string }): SQL =>
  sql`+${businessId} = ${business.id}`;
