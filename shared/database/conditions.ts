import { type AnyColumn, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { businessFences } from "./tables.ts";

/**
 * The row's business is not fenced. Statements over all rows of a shard need this, because one
 * fenced row would fail them.
 */
export const isUnfenced = (businessId: SQLWrapper): SQL =>
  sql`not exists (select 1 from ${businessFences} as fence
    where fence.business_id = ${businessId} and fence.state = 'closed')`;

/**
 * The row belongs to the business. The unary plus keeps the planner from searching by business, so
 * this is for rows that are already found by their ids.
 */
export const isRowOfBusiness = (businessId: AnyColumn, business: { id: string }): SQL =>
  sql`+${businessId} = ${business.id}`;
