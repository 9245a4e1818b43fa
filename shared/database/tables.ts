import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { EventType } from "../events/index.ts";
import { document, flag, instant, oneOf } from "./columns.ts";

const fenceStates = ["closed", "lifted", "open"] as const;

/** The outbox. An event is inserted in the same transaction as the change that it reports. */
export const events = sqliteTable(
  "events",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    type: text("type").$type<EventType>().notNull(),
    /** The object that the event is about (docs/contract/events.md#event-subjects). */
    subjectId: text("subject_id").notNull(),
    data: document<Record<string, unknown>>("data").notNull(),
    createdAt: instant("created_at").notNull(),
    /** When the webhook deliveries of the event were created; null until then. */
    dispatchedAt: instant("dispatched_at"),
    /** An example event that a merchant requested to test a webhook. */
    isTest: flag("is_test").notNull().default(false),
    /** The event's number among those of its subject, from 1. A trigger replaces the default. */
    sequence: integer("sequence").notNull().default(0),
  },
  (t) => [
    // Its entries are in the order of rowid, which is the order of the transactions.
    index("events_waiting").on(t.businessId).where(sql`dispatched_at is null`),
    index("events_laid_out").on(t.dispatchedAt).where(sql`dispatched_at is not null`),
    uniqueIndex("events_by_subject").on(t.businessId, t.subjectId, t.sequence),
  ],
);

/** The highest sequence of a subject among its purged events, so that no later event repeats it. */
export const eventSequences = sqliteTable(
  "event_sequences",
  {
    businessId: text("business_id").notNull(),
    subjectId: text("subject_id").notNull(),
    lastSequence: integer("last_sequence").notNull(),
  },
  (t) => [primaryKey({ columns: [t.businessId, t.subjectId] })],
);

/** The audit trail: who changed what, with the record before and after. */
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
 * Whether rows of a business may be written in this shard. Without a row they may. Triggers on
 * every table check this for each write. Only the transaction that moves the business sees
 * `lifted`.
 */
export const businessFences = sqliteTable(
  "business_fences",
  {
    businessId: text("business_id").primaryKey(),
    /** The latest move that set the fence. Earlier moves cannot change the fence. */
    moveId: text("move_id").notNull(),
    state: text("state").$type<(typeof fenceStates)[number]>().notNull(),
  },
  (t) => [check("business_fences_state", oneOf(t.state, fenceStates))],
);

/** The stored responses of requests with an Idempotency-Key. */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    businessId: text("business_id").notNull(),
    /**
     * The API key or session of the request. It keeps callers from getting each other's responses.
     */
    caller: text("caller").notNull(),
    route: text("route").notNull(),
    key: text("key").notNull(),
    fingerprint: text("fingerprint").notNull(),
    /** The HTTP status of the response; null while the first request runs. */
    status: integer("status"),
    body: text("body"),
    /** A digest of the request's file, which was streamed. Null for a request without one. */
    contentDigest: text("content_digest"),
    /** The customers and orders that the response is about. Null for none. */
    subjectIds: document<readonly string[]>("subject_ids"),
    /** A run that has stored no response by this time counts as crashed. */
    leaseUntil: instant("lease_until").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.businessId, t.caller, t.route, t.key] }),
    index("idempotency_by_age").on(t.createdAt),
    index("idempotency_about_persons").on(t.businessId).where(sql`subject_ids is not null`),
  ],
);

/**
 * The runs that work on this database. Each of a job's chains has one run at a time, which deletes
 * its row when it ends; the row of a crashed run is taken over after `lease_until`.
 */
export const jobLeases = sqliteTable(
  "job_leases",
  {
    job: text("job").notNull(),
    chain: integer("chain").notNull(),
    /** The run that holds the lease. */
    holder: text("holder").notNull(),
    leaseUntil: instant("lease_until").notNull(),
  },
  (t) => [primaryKey({ columns: [t.job, t.chain] })],
);
