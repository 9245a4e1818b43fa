import { sql } from "drizzle-orm";
import { check, index, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { document, flag, instant, oneOf } from "../database/columns.ts";
import type { Mode } from "../kernel/index.ts";
import type { Address, Closure, ErasePosition, OpeningHours, Settings } from "./business.ts";

import { type KeyKind, type KeyScope, keyKinds } from "./keys/key.ts";
import { accountStatuses, type ProviderAccount } from "./provider-accounts/account.ts";
import {
  type PaymentOwner,
  type ProviderName,
  providerNames,
} from "./provider-accounts/payment-methods.ts";

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
    /** Empty while a Worker from before this column runs, which ends with its deployment. */
    slug: text("slug").notNull().default(""),
    mode: text("mode").$type<Mode>().notNull(),
    currency: text("currency").notNull(),
    defaultCountry: text("default_country").notNull(),
    timezone: text("timezone").notNull(),
    shard: text("shard").notNull(),
    /** A CHECK allows `own` and `platform`; it is in the migration that added the column. */
    payments: text("payments").$type<PaymentOwner>().notNull().default("own"),
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
    uniqueIndex("businesses_slug").on(t.slug).where(sql`slug <> ''`),
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

/** The accounts of businesses at payment providers. Their credentials are encrypted. */
export const providerAccounts = sqliteTable(
  "provider_accounts",
  {
    businessId: text("business_id")
      .notNull()
      .references(() => businesses.id),
    provider: text("provider").$type<ProviderName>().notNull(),
    mode: text("mode").$type<Mode>().notNull(),
    status: text("status").$type<ProviderAccount["status"]>().notNull(),
    /** Encrypted with the business's data key and bound to the business and the provider. */
    sealedCredentials: text("sealed_credentials").notNull(),
    keyHint: text("key_hint").notNull(),
    methods: document<ProviderAccount["methods"]>("methods").notNull(),
    currencies: document<ProviderAccount["currencies"]>("currencies").notNull(),
    connectedAt: instant("connected_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    lastError: text("last_error"),
  },
  (t) => [
    primaryKey({ columns: [t.businessId, t.provider] }),
    check("provider_accounts_provider", oneOf(t.provider, providerNames)),
    check("provider_accounts_mode", oneOf(t.mode, modes)),
    check("provider_accounts_status", oneOf(t.status, accountStatuses)),
    check("provider_accounts_error", sql`status <> 'invalid' or last_error is not null`),
    check("provider_accounts_hint", sql`length(key_hint) <= 4`),
  ],
);

/** The key that encrypts a business's credentials, itself encrypted with a key of CREDENTIALS_KEY. */
export const businessDataKeys = sqliteTable(
  "business_data_keys",
  {
    businessId: text("business_id")
      .primaryKey()
      .references(() => businesses.id),
    wrappingKeyId: text("wrapping_key_id").notNull(),
    wrapped: text("wrapped").notNull(),
    createdAt: instant("created_at").notNull(),
    wrappedAt: instant("wrapped_at").notNull(),
  },
  (t) => [index("business_data_keys_by_wrapping_key").on(t.wrappingKeyId, t.businessId)],
);

/** The hostnames that lead to businesses' shops. Several businesses may name one that is pending. */
export const businessDomains = sqliteTable(
  "business_domains",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id")
      .notNull()
      .references(() => businesses.id),
    hostname: text("hostname").notNull(),
    verifiedAt: instant("verified_at"),
    createdAt: instant("created_at").notNull(),
    /** When a job looks at DNS; null when it does not. */
    checkDueAt: instant("check_due_at"),
  },
  (t) => [
    uniqueIndex("business_domains_of_business").on(t.businessId, t.hostname),
    index("business_domains_by_hostname").on(t.hostname),
    uniqueIndex("business_domains_verified").on(t.hostname).where(sql`verified_at is not null`),
    index("business_domains_to_check").on(t.checkDueAt).where(sql`check_due_at is not null`),
  ],
);
