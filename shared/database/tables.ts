import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { type EventType, eventTypes } from "../events/index.ts";
import { document, flag, instant, oneOf } from "./columns.ts";

const fenceStates = ["closed", "lifted", "open"] as const;

/** The outbox: an event stands here exactly when its change stands in its table. */
export const events = sqliteTable(
  "events",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    type: text("type").$type<EventType>().notNull(),
    subjectId: text("subject_id").notNull(),
    data: document<Record<string, unknown>>("data").notNull(),
    createdAt: instant("created_at").notNull(),
    /** When its deliveries were laid out; null while that is still to be done. */
    dispatchedAt: instant("dispatched_at"),
    /** An example that a merchant asked for, to try a webhook: nothing happened. */
    isTest: flag("is_test").notNull().default(false),
  },
  (t) => [
    index("events_waiting").on(t.businessId, t.createdAt).where(sql`dispatched_at is null`),
    index("events_laid_out").on(t.dispatchedAt).where(sql`dispatched_at is not null`),
    index("events_by_subject").on(t.businessId, t.subjectId),
    check("events_type", oneOf(t.type, eventTypes)),
  ],
);

/** Who changed what, and how it looked before and after. */
export const auditEntries = sqliteTable(
  "audit_entries",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    actor: text("actor").notNull(),
    action: text("action").notNull(),
    entity: text("entity").notNull(),
    before: document<unknown>("before"),
    after: document<unknown>("after"),
    at: instant("at").notNull(),
  },
  (t) => [
    index("audit_by_time").on(t.businessId, t.at, t.id),
    index("audit_by_entity").on(t.businessId, t.entity, t.at, t.id),
    index("audit_by_actor").on(t.businessId, t.actor, t.at, t.id),
  ],
);

/**
 * Whether a business may be written here (docs/scale.md, Moving a business). No row: it may. Triggers
 * on every table ask it of every row that is written, whoever writes and whatever that one believes;
 * `lifted` is seen by no transaction but the mover's own.
 */
export const businessFences = sqliteTable(
  "business_fences",
  {
    businessId: text("business_id").primaryKey(),
    /** The latest move that set it; an earlier one changes nothing any more. */
    moveId: text("move_id").notNull(),
    state: text("state").$type<(typeof fenceStates)[number]>().notNull(),
  },
  (t) => [check("business_fences_state", oneOf(t.state, fenceStates))],
);

/** Answers kept for 24 hours, so that a repeated request is answered and not repeated. */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    businessId: text("business_id").notNull(),
    /** The key or session that asked: one caller never sees another's answer. */
    caller: text("caller").notNull(),
    route: text("route").notNull(),
    key: text("key").notNull(),
    fingerprint: text("fingerprint").notNull(),
    /** Null while the first request still runs. */
    status: integer("status"),
    body: text("body"),
    /** A run that has not answered by then is taken for dead. */
    leaseUntil: instant("lease_until").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.businessId, t.caller, t.route, t.key] }),
    index("idempotency_by_age").on(t.createdAt),
  ],
);
