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
import { instant, oneOf } from "../database/columns.ts";
import { type Visibility, visibilities } from "./upload.ts";

/** What a storefront's asset is: public, finished and still there. The partial indexes hold these alone. */
export const published = sql`visibility = 'public' and confirmed_at is not null and deleted_at is null`;

/** A finished file of somebody who never logged in, as a guest's session is all that leads to it. */
export const leftByGuest = sql`visibility = 'private' and customer_id is null and confirmed_at is not null and deleted_at is null`;

/** Files: a place for each from init on. Their bytes lie in R2, one object for each attempt at sending them. */
export const uploads = sqliteTable(
  "uploads",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    visibility: text("visibility").$type<Visibility>().notNull(),
    /** Whose it is, should it be private; and the customer, from their login on. */
    sessionId: text("session_id"),
    customerId: text("customer_id"),
    /** Whose Idempotency-Key asked for it; both null without one. */
    caller: text("caller"),
    idempotencyKey: text("idempotency_key"),
    filename: text("filename").notNull(),
    contentType: text("content_type").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    /** Of assets alone: the folder as it was named, and the whole path by which the public finds it. */
    folderPath: text("folder_path"),
    path: text("path"),
    /** How often sending the bytes was begun; each has an R2 object of its own. */
    attempts: integer("attempts").notNull().default(0),
    /** The attempt that came through first: its object is the file. */
    receivedAttempt: integer("received_attempt"),
    etag: text("etag"),
    /** Of a guest's: the last time, from which on it is kept. */
    confirmedAt: instant("confirmed_at"),
    deletedAt: instant("deleted_at"),
    createdAt: instant("created_at").notNull(),
    /** When its address takes no bytes any more. */
    expiresAt: instant("expires_at").notNull(),
    /** When the sweep looks at it next; null where nothing is left to remove. */
    purgeAt: instant("purge_at"),
  },
  (t) => [
    uniqueIndex("uploads_by_key")
      .on(t.businessId, t.caller, t.idempotencyKey)
      .where(sql`idempotency_key is not null`),
    uniqueIndex("assets_at_path").on(t.businessId, t.path).where(published),
    index("assets_newest").on(t.businessId, t.createdAt, t.id).where(published),
    index("assets_in_folder").on(t.businessId, t.folderPath, t.createdAt, t.id).where(published),
    index("assets_of_type")
      .on(t.businessId, sql`lower(content_type)`, t.createdAt, t.id)
      .where(published),
    index("assets_of_type_in_folder")
      .on(t.businessId, t.folderPath, sql`lower(content_type)`, t.createdAt, t.id)
      .where(published),
    index("uploads_unfinished")
      .on(t.businessId, t.sessionId)
      .where(sql`session_id is not null and confirmed_at is null and deleted_at is null`),
    index("uploads_of_guest")
      .on(t.businessId, t.sessionId)
      .where(sql`session_id is not null and customer_id is null and deleted_at is null`),
    index("uploads_left_by_guests").on(t.confirmedAt).where(leftByGuest),
    index("uploads_due").on(t.purgeAt).where(sql`purge_at is not null`),
    index("uploads_by_customer").on(t.businessId, t.customerId).where(sql`customer_id is not null`),
    check("uploads_visibility", oneOf(t.visibility, visibilities)),
    check("uploads_size", sql`size_bytes >= 0`),
    check("uploads_received", sql`received_attempt between 1 and attempts`),
    // A second confirmation writes 0, which this refuses with its whole batch.
    check("uploads_confirmed_once", sql`confirmed_at > 0`),
    check("uploads_confirmed_bytes", sql`confirmed_at is null or received_attempt is not null`),
  ],
);

/**
 * How many assets of a type a business has, and each of its folders; none is no row. Triggers of the
 * migration asset_counts, which makes the table WITHOUT ROWID, keep it in step with the published
 * uploads; nothing else writes here.
 */
export const assetCounts = sqliteTable(
  "asset_counts",
  {
    businessId: text("business_id").notNull(),
    /** Empty: all of the business's; `/` and a folder's path: those that lie in it. */
    scope: text("scope").notNull(),
    /** In lower case. */
    contentType: text("content_type").notNull(),
    assets: integer("assets").notNull(),
  },
  (t) => [primaryKey({ columns: [t.businessId, t.scope, t.contentType] })],
);
