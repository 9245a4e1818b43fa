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
import { document, flag, instant } from "../database/columns.ts";

/**
 * The customers of a business. A verified contact is unique, so concurrent logins cannot create two
 * customers with the same contact.
 */
export const customers = sqliteTable(
  "customers",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    name: text("name"),
    email: text("email"),
    phone: text("phone"),
    emailVerifiedAt: instant("email_verified_at"),
    phoneVerifiedAt: instant("phone_verified_at"),
    /** Replaces the verified e-mail address once it is verified itself. */
    pendingEmail: text("pending_email"),
    pendingPhone: text("pending_phone"),
    /** True while a customer that the merchant created has not logged in. */
    isUnclaimed: flag("is_unclaimed").notNull().default(false),
    /** The merchant's own; shoppers never see them. */
    tags: document<readonly string[]>("tags").notNull().default([]),
    isTaxExempt: flag("is_tax_exempt").notNull().default(false),
    sessionsEndedAt: instant("sessions_ended_at"),
    erasedAt: instant("erased_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("customers_verified_email")
      .on(t.businessId, t.email)
      .where(sql`email_verified_at is not null`),
    uniqueIndex("customers_verified_phone")
      .on(t.businessId, t.phone)
      .where(sql`phone_verified_at is not null`),
    // The next person who verifies this contact gets the customer, so there can be only one.
    uniqueIndex("customers_unclaimed_email")
      .on(t.businessId, t.email)
      .where(sql`is_unclaimed = 1 and email is not null`),
    uniqueIndex("customers_unclaimed_phone")
      .on(t.businessId, t.phone)
      .where(sql`is_unclaimed = 1 and phone is not null`),
    index("customers_newest").on(t.businessId, t.id).where(sql`erased_at is null`),
    check(
      "customers_verified",
      sql`(email is not null or email_verified_at is null) and (phone is not null or phone_verified_at is null)`,
    ),
    check(
      "customers_erased",
      sql`erased_at is null or (name is null and email is null and phone is null)`,
    ),
  ],
);

/** Groups of customers, to which the merchant limits deals. */
export const customerGroups = sqliteTable(
  "customer_groups",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    name: text("name").notNull(),
    /** How many rows customer_group_members has. Lists show fewer groups when they are large. */
    customerCount: integer("customer_count").notNull(),
    archivedAt: instant("archived_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    index("customer_groups_newest").on(t.businessId, t.id).where(sql`archived_at is null`),
    check("customer_groups_count", sql`customer_count >= 0`),
  ],
);

/**
 * The customers in groups. `customer_id` is NOT NULL, so adding a customer that does not exist fails
 * the batch.
 */
export const customerGroupMembers = sqliteTable(
  "customer_group_members",
  {
    groupId: text("group_id")
      .notNull()
      .references(() => customerGroups.id),
    customerId: text("customer_id")
      .notNull()
      .references(() => customers.id),
    businessId: text("business_id").notNull(),
    addedAt: instant("added_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.groupId, t.customerId] }),
    index("customer_group_members_of_customer").on(t.customerId, t.groupId),
  ],
);
