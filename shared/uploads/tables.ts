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

/** A public asset that is confirmed and not deleted; the condition of the partial indexes. */
export const publishedCondition = sql`visibility = 'public' and confirmed_at is not null and deleted_at is null`;

/** A confirmed file of a guest who has not logged in. */
export const guestFileCondition = sql`visibility = 'private' and customer_id is null and confirmed_at is not null and deleted_at is null`;

/** Uploads and assets from their reservation on. Their bytes are in R2, one object per attempt. */
export const uploads = sqliteTable(
  "uploads",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    visibility: text("visibility").$type<Visibility>().notNull(),
    /** The owner of a private file; the customer is set from the login on. */
    sessionId: text("session_id"),
    customerId: text("customer_id"),
    /** The Idempotency-Key and its caller; both null without one. */
    caller: text("caller"),
    idempotencyKey: text("idempotency_key"),
    filename: text("filename").notNull(),
    contentType: text("content_type").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    /** The folder and the whole public path; only of assets. */
    folderPath: text("folder_path"),
    path: text("path"),
    /** Attempts at sending the bytes; each has an R2 object of its own. */
    attempts: integer("attempts").notNull().default(0),
    /** The first complete attempt; its object is the file. */
    receivedAttempt: integer("received_attempt"),
    etag: text("etag"),
    /** The last confirmation; a guest's file is kept from then on. */
    confirmedAt: instant("confirmed_at"),
    deletedAt: instant("deleted_at"),
    createdAt: instant("created_at").notNull(),
    /** When its upload URL expires. */
    expiresAt: instant("expires_at").notNull(),
    /** When the purge job is due; null when nothing is left to remove. */
    purgeAt: instant("purge_at"),
  },
  (t) => [
    uniqueIndex("uploads_by_key")
      .on(t.businessId, t.caller, t.idempotencyKey)
      .where(sql`idempotency_key is not null`),
    uniqueIndex("assets_at_path").on(t.businessId, t.path).where(publishedCondition),
    index("assets_newest").on(t.businessId, t.createdAt, t.id).where(publishedCondition),
    index("assets_in_folder")
      .on(t.businessId, t.folderPath, t.createdAt, t.id)
      .where(publishedCondition),
    index("assets_of_type")
      .on(t.businessId, sql`lower(content_type)`, t.createdAt, t.id)
      .where(publishedCondition),
    index("assets_of_type_in_folder")
      .on(t.businessId, t.folderPath, sql`lower(content_type)`, t.createdAt, t.id)
      .where(publishedCondition),
    index("uploads_unfinished")
      .on(t.businessId, t.sessionId)
      .where(sql`session_id is not null and confirmed_at is null and deleted_at is null`),
    index("uploads_of_guest")
      .on(t.businessId, t.sessionId)
      .where(sql`session_id is not null and customer_id is null and deleted_at is null`),
    index("uploads_left_by_guests").on(t.confirmedAt).where(guestFileCondition),
    index("uploads_due").on(t.purgeAt).where(sql`purge_at is not null`),
    index("uploads_by_customer").on(t.businessId, t.customerId).where(sql`customer_id is not null`),
    check("uploads_visibility", oneOf(t.visibility, visibilities)),
    check("uploads_size", sql`size_bytes >= 0`),
    check("uploads_received", sql`received_attempt between 1 and attempts`),
    // A second confirmation writes 0, so that this constraint fails its batch.
    check("uploads_confirmed_once", sql`confirmed_at > 0`),
    check("uploads_confirmed_bytes", sql`confirmed_at is null or received_attempt is not null`),
  ],
);

/**
 * The number of published assets per type, of a business and of each folder. Triggers in the migration
 * asset_counts maintain the table; nothing else writes it.
 */
export const assetCounts = sqliteTable(
  "asset_counts",
  {
    businessId: text("business_id").notNull(),
    /** Empty for the whole business; `/` and the folder's path for a folder. */
    scope: text("scope").notNull(),
    /** In lower case. */
    contentType: text("content_type").notNull(),
    assets: integer("assets").notNull(),
  },
  (t) => [primaryKey({ columns: [t.businessId, t.scope, t.contentType] })],
);
