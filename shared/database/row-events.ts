import { type SQL, sql } from "drizzle-orm";
import type { EventType } from "../events/index.ts";
import type { Write } from "./client.ts";
import type { Context } from "./context.ts";
import { insertSelect } from "./prepared-insert.ts";
import { eventSequences, events } from "./tables.ts";

type OutboxContext = Pick<Context, "db"> & Readonly<{ business: Readonly<{ id: string | SQL }> }>;

/**
 * A write that inserts events. Those of a subject are numbered 1, 2, 3, … without gaps, in the order
 * of their transactions.
 *
 * @param rows a query in parentheses for `id`, `type`, `subject_id`, `data`, `created_at`, and
 *   `place`: 1 for the first of its rows with this subject, 2 for the second. The first come first.
 */
export const insertEvents = ({ db, business }: OutboxContext, rows: SQL): Write =>
  insertSelect(
    db,
    events,
    sql`select id, ${business.id}, type, subject_id, data, created_at, null, 0,
      ${lastSequence(business.id, sql`added.subject_id`)} + place
    from ${rows} as added`,
  );

/** SQL for the highest sequence of a subject's events, purged ones included; 0 before the first. */
export const lastSequence = (businessId: string | SQL, subjectId: SQL): SQL => sql`max(
  coalesce((select max(${events.sequence}) from ${events}
    where ${events.businessId} = ${businessId} and ${events.subjectId} = ${subjectId}), 0),
  coalesce((select ${eventSequences.lastSequence} from ${eventSequences}
    where ${eventSequences.businessId} = ${businessId} and ${eventSequences.subjectId} = ${subjectId}), 0))`;

/**
 * A write that records an event for each row of a change that reads none of its rows.
 *
 * @param rows a query in parentheses for `subject_id` and the event's `data`, at most 32,768 rows.
 */
export const recordRowEvents = (
  ctx: OutboxContext & Pick<Context, "newId" | "now">,
  { type, rows }: Readonly<{ type: EventType; rows: SQL }>,
): Write =>
  insertEvents(
    ctx,
    sql`(select ${idForRank(ctx.newId("evt").slice(0, -rankDigits))} as id, ${type} as type,
        subject_id, data, ${ctx.now()} as created_at, place
      from (select subject_id, data, row_number() over by_subject - 1 as rank,
          row_number() over by_subject - rank() over by_subject + 1 as place
        from ${rows} window by_subject as (order by subject_id)))`,
  );

const rankDigits = 3;

/** The id of a row that a statement inserts: an id's stem and the row's `rank` in three characters. */
export const idForRank = (idStem: string): SQL =>
  sql`${idStem} || ${base32("rank >> 10")} || ${base32("rank >> 5")} || ${base32("rank")}`;

/** The TypeID base-32 digit of an SQL expression's lowest five bits. */
const base32 = (expression: "rank >> 10" | "rank >> 5" | "rank") =>
  sql`substr('0123456789abcdefghjkmnpqrstvwxyz', ((${sql.raw(expression)}) & 31) + 1, 1)`;
