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
import { businesses } from "../businesses/tables.ts";
import { type ContactType, contactTypes } from "../customers/index.ts";
import { document, flag, instant, oneOf } from "../database/columns.ts";
import type { Mode } from "../kernel/index.ts";
import { type OrderType, orderTypes } from "../orders/index.ts";
import { type MobileMoneyProvider, mobileMoneyProviders } from "../payments/index.ts";
import type { NewAddress } from "./address.ts";
import type { NewMobileMoney } from "./mobile-money.ts";

const modes: readonly Mode[] = ["live", "test"];

/** A person across businesses. Test and live accounts are separate. */
export const linkAccounts = sqliteTable(
  "link_accounts",
  {
    id: text("id").primaryKey(),
    mode: text("mode").$type<Mode>().notNull(),
    /** The customer_id that the Link API returns; it is no business's customer. */
    customerId: text("customer_id").notNull().unique(),
    name: text("name"),
    enrolledAt: instant("enrolled_at"),
    preferredOrderType: text("preferred_order_type").$type<OrderType>(),
    notifyOnOrder: flag("notify_on_order").notNull(),
    preferencesUpdatedAt: instant("preferences_updated_at"),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    check("link_accounts_mode", oneOf(t.mode, modes)),
    check("link_accounts_order_type", oneOf(t.preferredOrderType, orderTypes)),
  ],
);

/** Contacts of accounts. Unique, so that concurrent logins cannot create two accounts. */
export const linkContacts = sqliteTable(
  "link_contacts",
  {
    mode: text("mode").$type<Mode>().notNull(),
    type: text("type").$type<ContactType>().notNull(),
    value: text("value").notNull(),
    accountId: text("account_id")
      .notNull()
      .references(() => linkAccounts.id),
    /** Null until the owner has logged in with the contact. */
    verifiedAt: instant("verified_at"),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.mode, t.type, t.value] }),
    index("link_contacts_of_account").on(t.accountId),
    check("link_contacts_mode", oneOf(t.mode, modes)),
    check("link_contacts_type", oneOf(t.type, contactTypes)),
  ],
);

export const linkSessions = sqliteTable(
  "link_sessions",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => linkAccounts.id),
    /** The User-Agent, truncated. */
    device: text("device"),
    /** ISO 3166 alpha-2. */
    country: text("country"),
    createdAt: instant("created_at").notNull(),
    lastUsedAt: instant("last_used_at").notNull(),
    /** When its newest refresh token expires. */
    expiresAt: instant("expires_at").notNull(),
    revokedAt: instant("revoked_at"),
  },
  (t) => [
    index("link_sessions_of_account").on(t.accountId, t.id),
    index("link_sessions_by_end").on(t.expiresAt),
  ],
);

/** Refresh tokens until they expire, including used ones, so that reuse is detected. */
export const linkRefreshTokens = sqliteTable(
  "link_refresh_tokens",
  {
    /** SHA-256 of the token; the token itself is not stored. */
    hash: text("hash").primaryKey(),
    sessionId: text("session_id")
      .notNull()
      .references(() => linkSessions.id, { onDelete: "cascade" }),
    issuedAt: instant("issued_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    /** The hash of the refresh token that replaced this one; null while it is the current one. */
    replacedBy: text("replaced_by"),
  },
  (t) => [
    index("link_refresh_tokens_of_session").on(t.sessionId),
    index("link_refresh_tokens_by_end").on(t.expiresAt),
  ],
);

export const linkAddresses = sqliteTable(
  "link_addresses",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => linkAccounts.id),
    label: text("label"),
    streetAddress: text("street_address").notNull(),
    apartment: text("apartment"),
    city: text("city"),
    region: text("region"),
    country: text("country"),
    isDefault: flag("is_default").notNull(),
    usageCount: integer("usage_count").notNull(),
    lastUsedAt: instant("last_used_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    index("link_addresses_of_account").on(t.accountId, t.id),
    uniqueIndex("link_addresses_one_default").on(t.accountId).where(sql`is_default = 1`),
  ],
);

export const linkMobileMoney = sqliteTable(
  "link_mobile_money",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => linkAccounts.id),
    /** E.164. */
    phoneNumber: text("phone_number").notNull(),
    provider: text("provider").$type<MobileMoneyProvider>().notNull(),
    label: text("label"),
    isDefault: flag("is_default").notNull(),
    /** When the network last confirmed that the number is reachable; null if it has not. */
    verifiedAt: instant("verified_at"),
    usageCount: integer("usage_count").notNull(),
    lastUsedAt: instant("last_used_at"),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    index("link_mobile_money_of_account").on(t.accountId, t.id),
    uniqueIndex("link_mobile_money_one_default").on(t.accountId).where(sql`is_default = 1`),
    check("link_mobile_money_provider", oneOf(t.provider, mobileMoneyProviders)),
  ],
);

/**
 * Unfinished enrolments with an order, because no batch spans the shard and CORE. A row is deleted
 * once both databases have the result, or the order cannot be linked.
 */
export const linkOrderIntents = sqliteTable(
  "link_order_intents",
  {
    /** Unique, so that an order has one unfinished enrolment. */
    orderId: text("order_id").primaryKey(),
    id: text("id").notNull().unique(),
    businessId: text("business_id")
      .notNull()
      .references(() => businesses.id),
    accountId: text("account_id")
      .notNull()
      .references(() => linkAccounts.id),
    /** The contact of the order that the account has; null without one. */
    contactType: text("contact_type").$type<ContactType>(),
    contactValue: text("contact_value"),
    /** Whether the caller is the account's owner, not a holder of the order's bill_token. */
    isByOwner: flag("is_owners").notNull(),
    address: document<NewAddress>("address"),
    mobileMoney: document<NewMobileMoney>("mobile_money"),
    orderType: text("order_type").$type<OrderType>(),
    createdAt: instant("created_at").notNull(),
    /** When the job continues it, if the request has died. */
    dueAt: instant("due_at").notNull(),
    attempts: integer("attempts").notNull(),
  },
  (t) => [
    index("link_order_intents_due").on(t.dueAt),
    index("link_order_intents_of_account").on(t.accountId),
    check("link_order_intents_contact", sql`(contact_type is null) = (contact_value is null)`),
  ],
);
