import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { DomainEvent } from "../events/index.ts";
import type { Actor, Refusal } from "../kernel/index.ts";
import { messageOf, type Write } from "./client.ts";
import type { Context } from "./context.ts";
import { auditEntries, events } from "./tables.ts";

/**
 * Before and after of a merchant's change; `entity` is the changed record's id, or a query for it:
 * the batch fails (`audit_entries.entity`) where that finds none.
 */
export type AuditedChange = Readonly<{
  action: string;
  entity: string | Query;
  before?: unknown;
  after?: unknown;
}>;

/** A query whose one value a batch can take up. */
export type Query = SQLWrapper;

/** An event, and what only its batch can know of it: a query by the name of the field it fills. */
export type RecordedEvent = DomainEvent & Readonly<{ computed?: Readonly<Record<string, Query>> }>;

export type Change = Readonly<{
  writes: readonly Write[];
  events?: readonly RecordedEvent[];
  audit?: readonly AuditedChange[];
  /** A constraint's name (or `table.column` of a UNIQUE) to what the caller reads when it holds. */
  refusals?: Readonly<Record<string, () => Refusal>>;
}>;

/**
 * Applies a change whole or not at all: its rows, its events and its audit entries are one D1
 * batch, which is one transaction. Returns the batch's results, one per write.
 *
 * @throws the Refusal that `refusals` names for the constraint that held.
 */
export async function commit(ctx: Context, change: Change): Promise<unknown[]> {
  const [first, ...rest] = [
    ...change.writes,
    ...eventRows(ctx, change.events ?? []),
    ...(change.audit ?? []).map((entry) => auditRow(ctx, entry)),
  ];
  if (!first) return [];
  try {
    const results = await ctx.db.batch([first, ...rest]);
    if (change.events?.length) ctx.announce();
    return results;
  } catch (error) {
    throw translated(error, change.refusals ?? {});
  }
}

/** The plain ones are one statement, however many: D1 counts those of a batch (platform-facts 1.3). */
function eventRows(ctx: Context, recorded: readonly RecordedEvent[]): Write[] {
  const rows = recorded.map((event) => ({ ...event, id: ctx.newId("evt") }));
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

const plainEvents = (ctx: Context, rows: readonly EventRow[]): Write =>
  ctx.db.insert(events).select(
    sql`select value ->> 'id', ${ctx.business.id}, value ->> 'type', value ->> 'subjectId',
        value -> 'data', ${ctx.now()}, null, 0
      from json_each(${JSON.stringify(rows)})`,
  );

const computedEvent = (
  ctx: Context,
  { id, type, subjectId, data, computed }: EventRow & Required<Pick<RecordedEvent, "computed">>,
): Write =>
  ctx.db.insert(events).values({
    id,
    businessId: ctx.business.id,
    type,
    subjectId,
    data: filled(data, computed),
    createdAt: ctx.now(),
  });

const filled = (data: DomainEvent["data"], computed: Readonly<Record<string, Query>>) =>
  Object.entries(computed).reduce<DomainEvent["data"] | SQL>(
    (json, [field, query]) =>
      sql`json_set(${isQuery(json) ? json : JSON.stringify(json)}, ${`$.${field}`}, (${query}))`,
    data,
  );

const isQuery = (value: object): value is SQL => "queryChunks" in value;

function auditRow(ctx: Context, { action, entity, before, after }: AuditedChange): Write {
  return ctx.db.insert(auditEntries).values({
    id: ctx.newId("aud"),
    businessId: ctx.business.id,
    actor: nameOf(ctx.actor),
    action,
    entity: typeof entity === "string" ? entity : sql`(${entity})`,
    before: before ?? null,
    after: after ?? null,
    at: ctx.now(),
  });
}

function translated(error: unknown, refusals: NonNullable<Change["refusals"]>): unknown {
  const text = messageOf(error);
  const held = /constraint failed/i.test(text)
    ? Object.keys(refusals).find((constraint) => text.includes(constraint))
    : undefined;
  return (held === undefined ? undefined : refusals[held]?.()) ?? error;
}

/** Who did it, as the audit trail keeps it. */
export function nameOf(actor: Actor): string {
  switch (actor.type) {
    case "merchant":
      return actor.keyId;
    case "session":
      return actor.customerId ?? "guest";
    case "system":
      return `system:${actor.job}`;
    case "anonymous":
    case "guest":
    case "operator":
      return actor.type;
  }
}
