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

/** SQL for an asset that is confirmed and not deleted. Partial indexes have the same condition. */
export const publishedCondition = sql`visibility = 'public' and confirmed_at is not null and deleted_at is null`;

/** SQL for a confirmed file of a guest who has not logged in. */
export const guestFileCondition = sql`visibility = 'private' and customer_id is null and confirmed_at is not null and deleted_at is null`;

/**
 * Uploads and assets, from the reservation on. The bytes are in R2, with an object for each
 * attempt.
 */
export const uploads = sqliteTable(
  "uploads",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    visibility: text("visibility").$type<Visibility>().notNull(),
    /**
     * The owner of a private file: its session, and the customer who has logged in with that
     * session.
     */
    sessionId: text("session_id"),
    customerId: text("customer_id"),
    /** The Idempotency-Key of the reservation, and its caller. Both are null without a key. */
    caller: text("caller"),
    idempotencyKey: text("idempotency_key"),
    filename: text("filename").notNull(),
    contentType: text("content_type").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    /** The asset's folder and its full public path. Null for private files. */
    folderPath: text("folder_path"),
    path: text("path"),
    /** How many times sending the bytes was attempted. Each attempt has an R2 object. */
    attempts: integer("attempts").notNull().default(0),
    /** The first complete attempt. The object of this attempt is the file. */
    receivedAttempt: integer("received_attempt"),
    etag: text("etag"),
    /** When the file was last confirmed. A guest's file is kept for a limited time from then on. */
    confirmedAt: instant("confirmed_at"),
    deletedAt: instant("deleted_at"),
    createdAt: instant("created_at").notNull(),
    /** When the upload URL expires. */
    expiresAt: instant("expires_at").notNull(),
    /** When the purge job next handles the file. Null when there is nothing to remove. */
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
    // Confirming an asset again writes 0, so that this constraint fails the batch.
    check("uploads_confirmed_once", sql`confirmed_at > 0`),
    check("uploads_confirmed_bytes", sql`confirmed_at is null or received_attempt is not null`),
  ],
);

/**
 * The number of public assets per type, for each business and each folder. Only the triggers of the
 * migration asset_counts write this table.
 */
export const assetCounts = sqliteTable(
  "asset_counts",
  {
    businessId: text("business_id").notNull(),
    /** Empty for the whole business. For a folder, `/` and the folder's path. */
    scope: text("scope").notNull(),
    /** The content type in lower case. */
    contentType: text("content_type").notNull(),
    assets: integer("assets").notNull(),
  },
  (t) => [primaryKey({ columns: [t.businessId, t.scope, t.contentType] })],
);
