import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Actor, DomainEvent, Refusal } from "../kernel/index.ts";
import { messageOf, type Write } from "./client.ts";
import type { Context } from "./context.ts";
import { auditEntries, events } from "./tables.ts";

/** Before and after of a merchant's change; `entity` is the changed record's id. */
export type AuditedChange = Readonly<{
  action: string;
  entity: string;
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
    ...(change.events ?? []).map((event) => eventRow(ctx, event)),
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

function eventRow(ctx: Context, { type, subjectId, data, computed = {} }: RecordedEvent): Write {
  return ctx.db.insert(events).values({
    id: ctx.newId("evt"),
    businessId: ctx.business.id,
    type,
    subjectId,
    data: filled(data, computed),
    createdAt: ctx.now(),
  });
}

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
    entity,
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
