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
import type { AddressFields, NewAddress } from "./address.ts";
import type { MobileMoneyFields, NewMobileMoney } from "./mobile-money.ts";

const modes: readonly Mode[] = ["live", "test"];

/** Accounts of people across businesses. Test and live accounts are separate. */
export const linkAccounts = sqliteTable(
  "link_accounts",
  {
    id: text("id").primaryKey(),
    mode: text("mode").$type<Mode>().notNull(),
    /** The customer_id that the Link API returns. No business has a customer with this id. */
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

/** A TypeID: 26 characters, of which the first is at most 7. */
const randomContactId = sql`('con_0' || substr(lower(hex(randomblob(13))), 2))`;

/**
 * Contacts of accounts. The primary key lets a contact belong to one account only, even when two
 * logins with the same contact run at once.
 */
export const linkContacts = sqliteTable(
  "link_contacts",
  {
    mode: text("mode").$type<Mode>().notNull(),
    type: text("type").$type<ContactType>().notNull(),
    value: text("value").notNull(),
    id: text("id").notNull().unique().default(randomContactId),
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
    /** The User-Agent header, truncated. */
    device: text("device"),
    /** An ISO 3166 alpha-2 code. */
    country: text("country"),
    createdAt: instant("created_at").notNull(),
    lastUsedAt: instant("last_used_at").notNull(),
    /** When the session's newest refresh token expires. */
    expiresAt: instant("expires_at").notNull(),
    revokedAt: instant("revoked_at"),
  },
  (t) => [
    index("link_sessions_of_account").on(t.accountId, t.id),
    index("link_sessions_by_end").on(t.expiresAt),
  ],
);

/** Refresh tokens. Used tokens stay until they expire, so that a second use is detected. */
export const linkRefreshTokens = sqliteTable(
  "link_refresh_tokens",
  {
    /** The SHA-256 digest of the token. The token itself is not stored. */
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
    /** In E.164 format. */
    phoneNumber: text("phone_number").notNull(),
    provider: text("provider").$type<MobileMoneyProvider>().notNull(),
    label: text("label"),
    isDefault: flag("is_default").notNull(),
    /**
     * When the network last reported the number as reachable. Null before that, or when a later
     * check found the number unreachable.
     */
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
 * Unfinished enrolments with an order. A crash between the writes to the shard and to CORE leaves a
 * row, from which a job continues. The row is deleted when the enrolment is finished or refused.
 */
export const linkOrderIntents = sqliteTable(
  "link_order_intents",
  {
    /** The primary key, so that an order has at most one unfinished enrolment. */
    orderId: text("order_id").primaryKey(),
    id: text("id").notNull().unique(),
    businessId: text("business_id")
      .notNull()
      .references(() => businesses.id),
    accountId: text("account_id")
      .notNull()
      .references(() => linkAccounts.id),
    /**
     * The order's contact that links the order to the account. Null when only a bill_token links
     * them.
     */
    contactType: text("contact_type").$type<ContactType>(),
    contactValue: text("contact_value"),
    /** Always true. Calls without a session are stored in `link_unassigned_orders`. */
    isByOwner: flag("is_owners").notNull(),
    address: document<NewAddress>("address"),
    mobileMoney: document<NewMobileMoney>("mobile_money"),
    orderType: text("order_type").$type<OrderType>(),
    createdAt: instant("created_at").notNull(),
    /** When the job continues the enrolment, in case the request did not finish it. */
    dueAt: instant("due_at").notNull(),
    attempts: integer("attempts").notNull(),
  },
  (t) => [
    index("link_order_intents_due").on(t.dueAt),
    index("link_order_intents_of_account").on(t.accountId),
    check("link_order_intents_contact", sql`(contact_type is null) = (contact_value is null)`),
  ],
);

/**
 * Orders that were enrolled without a session. A job links them to the account that has verified
 * their contact and gives them the shop's customer. Without such an account they wait for its login.
 */
export const linkUnassignedOrders = sqliteTable(
  "link_unassigned_orders",
  {
    orderId: text("order_id").primaryKey(),
    businessId: text("business_id")
      .notNull()
      .references(() => businesses.id),
    /** Null when the order's contact decides. */
    accountId: text("account_id").references(() => linkAccounts.id),
    /** The order's contact and its mode; null when the account is known. */
    mode: text("mode").$type<Mode>(),
    contactType: text("contact_type").$type<ContactType>(),
    contactValue: text("contact_value"),
    /** When the job takes it up; null until the contact logs in. */
    dueAt: instant("due_at"),
  },
  (t) => [
    index("link_unassigned_orders_of_account").on(t.accountId),
    index("link_unassigned_orders_of_business").on(t.businessId),
    index("link_unassigned_orders_of_contact").on(t.mode, t.contactType, t.contactValue),
    index("link_unassigned_orders_due").on(t.dueAt).where(sql`due_at is not null`),
    check(
      "link_unassigned_orders_owner",
      sql`(account_id is null) = (mode is not null and contact_type is not null and contact_value is not null)`,
    ),
  ],
);

/**
 * Details that somebody without a session of the account sent for a contact. They wait until the
 * contact's owner saves or discards them, and are never part of the account before.
 */
export const linkPendingDetails = sqliteTable(
  "link_pending_details",
  {
    id: text("id").primaryKey(),
    mode: text("mode").$type<Mode>().notNull(),
    contactType: text("contact_type").$type<ContactType>().notNull(),
    contactValue: text("contact_value").notNull(),
    /** The order with which the details came; null for an enrolment without an order. */
    orderId: text("order_id").unique(),
    businessId: text("business_id")
      .notNull()
      .references(() => businesses.id),
    /** The shop's name at that time. */
    businessName: text("business_name").notNull(),
    name: text("name"),
    address: document<AddressFields>("address"),
    mobileMoney: document<MobileMoneyFields>("mobile_money"),
    orderType: text("order_type").$type<OrderType>(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    /**
     * When the owner saved or discarded the details. The row stays without them until it expires, so
     * that a repeated call does not bring them back.
     */
    settledAt: instant("settled_at"),
  },
  (t) => [
    index("link_pending_details_of_contact").on(t.mode, t.contactType, t.contactValue, t.id),
    uniqueIndex("link_pending_details_one_enrolment")
      .on(t.mode, t.contactType, t.contactValue)
      .where(sql`order_id is null`),
    index("link_pending_details_of_business").on(t.businessId),
    index("link_pending_details_by_end").on(t.expiresAt),
    check("link_pending_details_mode", oneOf(t.mode, modes)),
    check("link_pending_details_type", oneOf(t.contactType, contactTypes)),
    check("link_pending_details_order_type", oneOf(t.orderType, orderTypes)),
    check(
      "link_pending_details_settled",
      sql`settled_at is null or (name is null and address is null and mobile_money is null and order_type is null)`,
    ),
  ],
);
