import { type SQL, sql } from "drizzle-orm";
import type { EventType } from "../events/index.ts";
import type { Write } from "./client.ts";
import type { Context } from "./context.ts";
import { events } from "./tables.ts";

/**
 * A write that records an event for each row of a change that reads none of its rows.
 *
 * @param rows a query in parentheses for `subject_id` and the event's `data`, at most 32,768 rows.
 */
export const recordRowEvents = (
  { db, business, newId, now }: Pick<Context, "db" | "business" | "newId" | "now">,
  { type, rows }: Readonly<{ type: EventType; rows: SQL }>,
): Write =>
  db.insert(events).select(sql`
    select ${idForRank(newId("evt").slice(0, -rankDigits))}, ${business.id}, ${type}, subject_id, data, ${now()}, null, 0
    from (select subject_id, data, row_number() over (order by subject_id) - 1 as rank
      from ${rows})`);

const rankDigits = 3;

/** The id of a row that a statement inserts: an id's stem and the row's `rank` in three characters. */
export const idForRank = (idStem: string): SQL =>
  sql`${idStem} || ${base32("rank >> 10")} || ${base32("rank >> 5")} || ${base32("rank")}`;

/** The TypeID base-32 digit of an SQL expression's lowest five bits. */
const base32 = (expression: "rank >> 10" | "rank >> 5" | "rank") =>
  sql`substr('0123456789abcdefghjkmnpqrstvwxyz', ((${sql.raw(expression)}) & 31) + 1, 1)`;
