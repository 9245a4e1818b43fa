import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { DomainEvent } from "../events/index.ts";
import type { Actor } from "../kernel/index.ts";
import type { Write } from "./client.ts";
import { type ConstraintRefusals, findFailedConstraint } from "./constraint.ts";
import type { Context } from "./context.ts";
import { jsonChunks } from "./json-chunks.ts";
import { insertEvents } from "./row-events.ts";
import { auditEntries } from "./tables.ts";

/**
 * A merchant's change for the audit trail. `entity` is the id of the changed record, or a query for
 * the id. When the query finds nothing, the batch fails on `audit_entries.entity`.
 */
export type AuditedChange = Readonly<{
  action: string;
  entity: string | Query;
  before?: unknown;
  after?: unknown;
}>;

/** A query that returns one value. */
export type Query = SQLWrapper;

/** An event. `computed` has queries for the fields whose values only the batch knows. */
export type RecordedEvent = DomainEvent & Readonly<{ computed?: Readonly<Record<string, Query>> }>;

export type Change = Readonly<{
  writes: readonly Write[];
  events?: readonly RecordedEvent[];
  audit?: readonly AuditedChange[];
  /** The refusals to throw when one of these constraints fails the batch. */
  refusals?: ConstraintRefusals;
}>;

/**
 * Writes a change, its events and its audit entries in one D1 batch, which is one transaction.
 * Returns one result per write.
 *
 * @throws Refusal from `refusals` for the constraint that failed.
 */
export async function commit(ctx: Context, change: Change): Promise<unknown[]> {
  const [first, ...others] = [
    ...change.writes,
    ...eventRows(ctx, change.events ?? []),
    ...auditRows(ctx, change.audit ?? []),
  ];
  if (!first) return [];
  try {
    const results = await ctx.db.batch([first, ...others]);
    if (change.events?.length) ctx.wakeOutboxWorker();
    return results;
  } catch (error) {
    const constraint = findFailedConstraint(error);
    throw (constraint && change.refusals?.[constraint]?.()) ?? error;
  }
}

/**
 * Inserts all events without computed fields by one statement, because D1 limits the number of
 * statements in a batch.
 */
function eventRows(ctx: Context, recordedEvents: readonly RecordedEvent[]): Write[] {
  const rows = recordedEvents.map((event) => ({ ...event, id: ctx.newId("evt") }));
  const plain = rows.filter(({ computed }) => computed === undefined);
  const computed = rows.flatMap((row) =>
    row.computed === undefined ? [] : [{ ...row, computed: row.computed }],
  );
  return [
    ...computed.map((row) => computedEvent(ctx, row)),
    ...(plain.length > 0 ? [plainEvents(ctx, plain)] : []),
  ];
}

type EventRow = DomainEvent & Readonly<{ id: string }>;

/** An event of one business as it is inserted. */
export type ShardEventRow = EventRow & ShardEventColumns;

type ShardEventColumns = Readonly<{ id: string; businessId: string; createdAt: number }>;

export function newEventRows<E extends DomainEvent>(
  { business, newId, now }: Pick<Context, "business" | "newId" | "now">,
  newEvents: readonly E[],
): (E & ShardEventColumns)[] {
  const createdAt = now();
  return newEvents.map((event) => ({
    ...event,
    id: newId("evt"),
    businessId: business.id,
    createdAt,
  }));
}

/** Inserts events of several businesses of a shard by one statement. */
export const insertShardEvents = (db: Context["db"], rows: readonly ShardEventRow[]): Write =>
  insertEvents(
    { db, business: { id: sql`added.business_id` } },
    sql`(select value ->> 'id' as id, value ->> 'businessId' as business_id, value ->> 'type' as type,
        value ->> 'subjectId' as subject_id, value -> 'data' as data,
        value ->> 'createdAt' as created_at, value ->> 'place' as place
      from json_each(${JSON.stringify(withPlaces(rows))}))`,
  );

const plainEvents = (ctx: Context, rows: readonly EventRow[]): Write =>
  insertEvents(
    ctx,
    sql`(select value ->> 'id' as id, value ->> 'type' as type, value ->> 'subjectId' as subject_id,
        value -> 'data' as data, ${ctx.now()} as created_at, value ->> 'place' as place
      from json_each(${JSON.stringify(withPlaces(rows))}))`,
  );

/** Adds each event's place among those of its subject. */
function withPlaces(rows: readonly EventRow[]) {
  const counts = new Map<string, number>();
  return rows.map((row) => {
    const place = (counts.get(row.subjectId) ?? 0) + 1;
    counts.set(row.subjectId, place);
    return { ...row, place };
  });
}

const computedEvent = (
  ctx: Context,
  { id, type, subjectId, data, computed }: EventRow & Required<Pick<RecordedEvent, "computed">>,
): Write =>
  insertEvents(
    ctx,
    sql`(select ${id} as id, ${type} as type, ${subjectId} as subject_id,
      ${dataQuery(data, computed)} as data, ${ctx.now()} as created_at, 1 as place)`,
  );

const dataQuery = (data: DomainEvent["data"], computed: Readonly<Record<string, Query>>): SQL =>
  Object.entries(computed).reduce(
    (json, [field, query]) => sql`json_set(${json}, ${`$.${field}`}, (${query}))`,
    sql`${JSON.stringify(data)}`,
  );

/** One statement for many entries, because D1 limits the number of statements in a batch. */
function auditRows(ctx: Context, entries: readonly AuditedChange[]): Write[] {
  const [entry] = entries;
  if (!entry || entries.length === 1) return entry ? [auditRow(ctx, entry)] : [];
  const known = entries.filter(({ entity }) => typeof entity === "string");
  const computed = entries.filter(({ entity }) => typeof entity !== "string");
  const rows = jsonChunks(known.map((one) => ({ ...one, id: ctx.newId("aud") })));
  return [
    ...computed.map((one) => auditRow(ctx, one)),
    ...rows.map((chunk) =>
      ctx.db.insert(auditEntries).select(
        sql`select value ->> 'id', ${ctx.business.id}, ${actorName(ctx.actor)}, value ->> 'action',
            value ->> 'entity', nullif(value -> 'before', 'null'), nullif(value -> 'after', 'null'),
            ${ctx.now()}
          from json_each(${chunk})`,
      ),
    ),
  ];
}

function auditRow(ctx: Context, { action, entity, before, after }: AuditedChange): Write {
  return ctx.db.insert(auditEntries).values({
    id: ctx.newId("aud"),
    businessId: ctx.business.id,
    actor: actorName(ctx.actor),
    action,
    entity: typeof entity === "string" ? entity : sql`(${entity})`,
    before: before ?? null,
    after: after ?? null,
    at: ctx.now(),
  });
}

/** The actor as stored in the audit trail. */
export function actorName(actor: Actor): string {
  switch (actor.type) {
    case "merchant":
      return actor.id;
    case "session":
      return actor.agentProfileUrl === undefined
        ? (actor.customerId ?? "guest")
        : `agent:${actor.agentProfileUrl}`;
    case "system":
      return `system:${actor.job}`;
    case "operator":
      return actor.userId ?? actor.type;
    case "anonymous":
    case "guest":
      return actor.type;
  }
}
