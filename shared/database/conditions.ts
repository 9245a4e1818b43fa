import { type AnyColumn, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "./client.ts";
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
export const isRowOfBusiness = (
  businessId: AnyColumn,
  business: Readonly<{ id: string }> | null,
): SQL => (business === null ? sql`true` : sql`+${businessId} = ${business.id}`);

/**
 * Reads records of one business by their ids. `business` is null for a job's records, which belong
 * to several businesses of the shard; the job has their ids from its claim.
 */
export type RecordReader = Readonly<{ db: Db; business: Readonly<{ id: string }> | null }>;
