import { sql } from "drizzle-orm";
import { check, index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { document, flag, instant, oneOf } from "../database/columns.ts";
import type { Mode } from "../kernel/index.ts";
import type { Address, Closure, ErasePosition, OpeningHours, Settings } from "./business.ts";

import { type KeyKind, type KeyScope, keyKinds } from "./keys/key.ts";

const modes: readonly Mode[] = ["live", "test"];

export const organizations = sqliteTable("organizations", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  /** The business that an organization's key serves when the request names none. */
  defaultBusinessId: text("default_business_id"),
  createdAt: instant("created_at").notNull(),
});

export const businesses = sqliteTable(
  "businesses",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").references(() => organizations.id),
    name: text("name").notNull(),
    mode: text("mode").$type<Mode>().notNull(),
    currency: text("currency").notNull(),
    defaultCountry: text("default_country").notNull(),
    timezone: text("timezone").notNull(),
    shard: text("shard").notNull(),
    settings: document<Settings>("settings").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    /** A business with neither time is active; one with both is closed. */
    suspendedAt: instant("suspended_at"),
    closedAt: instant("closed_at"),
    /** When the job erases or continues to erase a closed business. */
    eraseDueAt: instant("erase_due_at"),
    /** How far the erasure has come; null before it begins. */
    erasePosition: document<ErasePosition>("erase_position"),
  },
  (t) => [
    index("businesses_to_erase").on(t.eraseDueAt).where(sql`erase_due_at is not null`),
    index("businesses_by_organization").on(t.organizationId),
    index("businesses_by_age").on(t.createdAt, t.id),
    check("businesses_mode", oneOf(t.mode, modes)),
  ],
);

export const locations = sqliteTable(
  "locations",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id")
      .notNull()
      .references(() => businesses.id),
    name: text("name").notNull(),
    address: document<Address>("address"),
    timezone: text("timezone").notNull(),
    operatingHours: document<OpeningHours>("operating_hours").notNull(),
    closures: document<readonly Closure[]>("closures").notNull(),
    isDefault: flag("is_default").notNull(),
    offersPickup: flag("offers_pickup").notNull().default(false),
    pickupInstructions: text("pickup_instructions"),
    archivedAt: instant("archived_at"),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    index("locations_by_business").on(t.businessId),
    uniqueIndex("locations_one_default").on(t.businessId).where(sql`is_default = 1`),
  ],
);

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text("id").primaryKey(),
    /** SHA-256 of the key's text, which is not stored. */
    hash: text("hash").notNull().unique(),
    kind: text("kind").$type<KeyKind>().notNull(),
    mode: text("mode").$type<Mode>().notNull(),
    businessId: text("business_id").references(() => businesses.id),
    organizationId: text("organization_id").references(() => organizations.id),
    scopes: document<readonly KeyScope[]>("scopes").notNull(),
    label: text("label").notNull(),
    createdAt: instant("created_at").notNull(),
    revokedAt: instant("revoked_at"),
    lastUsedAt: instant("last_used_at"),
  },
  (t) => [
    index("api_keys_of_business").on(t.businessId, t.id).where(sql`business_id is not null`),
    index("api_keys_of_organization")
      .on(t.organizationId, t.id)
      .where(sql`organization_id is not null`),
    check("api_keys_kind", oneOf(t.kind, keyKinds)),
    check("api_keys_mode", oneOf(t.mode, modes)),
    check("api_keys_one_owner", sql`(business_id is null) <> (organization_id is null)`),
  ],
);
