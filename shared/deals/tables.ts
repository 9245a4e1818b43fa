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
import { document, flag, instant, minorUnits, oneOf } from "../database/columns.ts";
import { type DealClass, type DiscountType, discountTypes } from "../pricing/index.ts";
import { type DealScope, dealScopes } from "./deal-scope.ts";

export const deals = sqliteTable(
  "deals",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    code: text("code"),
    /** The normalised code; null for an automatic deal. */
    codeKey: text("code_key"),
    name: text("name").notNull(),
    description: text("description").notNull(),
    discountType: text("discount_type").$type<DiscountType>().notNull(),
    percent: text("percent"),
    amountMinor: minorUnits("amount_minor"),
    minOrderSubtotalMinor: minorUnits("min_order_subtotal_minor"),
    maxDiscountMinor: minorUnits("max_discount_minor"),
    scope: text("scope").$type<DealScope>().notNull(),
    scopeIds: document<readonly string[]>("scope_ids").notNull(),
    /** The columns of the type buy_x_get_y; its percentage is in `percent`, its get_scope in `scope`. */
    buyQuantity: integer("buy_quantity"),
    buyScope: text("buy_scope").$type<DealScope>(),
    buyScopeIds: document<readonly string[]>("buy_scope_ids"),
    getQuantity: integer("get_quantity"),
    maxUsesPerOrder: integer("max_uses_per_order"),
    tiers: document<readonly Readonly<{ minQuantity: number; percent: string }>[]>("tiers"),
    /** Null for a deal that combines with any other, as one automatic deal or one coupon. */
    combinesWith: document<readonly DealClass[]>("combines_with"),
    /** Null for a deal that everybody may use. */
    customerGroupIds: document<readonly string[]>("customer_group_ids"),
    startsAt: instant("starts_at"),
    endsAt: instant("ends_at"),
    usageLimit: integer("usage_limit"),
    timesRedeemed: integer("times_redeemed").notNull().default(0),
    perCustomerLimit: integer("per_customer_limit"),
    isActive: flag("is_active").notNull(),
    archivedAt: instant("archived_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("deals_code").on(t.businessId, t.codeKey).where(sql`archived_at is null`),
    index("deals_newest").on(t.businessId, t.id),
    index("deals_by_scope").on(t.businessId, t.scope, t.endsAt).where(sql`archived_at is null`),
    index("deals_by_buy_scope")
      .on(t.businessId, t.buyScope, t.endsAt)
      .where(sql`archived_at is null and buy_scope is not null`),
    check("deals_discount_type", oneOf(t.discountType, discountTypes)),
    check("deals_scope", oneOf(t.scope, dealScopes)),
    check(
      "deals_discount",
      sql`(discount_type in ('percentage', 'buy_x_get_y')) = (percent is not null)
        and (discount_type = 'fixed_amount') = (amount_minor is not null)
        and (discount_type = 'tiered') = (tiers is not null)`,
    ),
    check("deals_buy_scope", oneOf(t.buyScope, dealScopes)),
    check(
      "deals_buy_x_get_y",
      sql`iif(discount_type = 'buy_x_get_y',
        coalesce(buy_quantity >= 1 and get_quantity >= 1 and max_uses_per_order >= 1, 0)
          and buy_scope is not null and buy_scope_ids is not null,
        coalesce(buy_quantity, get_quantity, max_uses_per_order, buy_scope, buy_scope_ids) is null)`,
    ),
    check(
      "deals_amounts",
      sql`coalesce(amount_minor, 0) >= 0 and coalesce(min_order_subtotal_minor, 0) >= 0 and coalesce(max_discount_minor, 0) >= 0`,
    ),
    check("deals_window", sql`starts_at is null or ends_at is null or starts_at < ends_at`),
    check(
      "deals_usage",
      sql`times_redeemed >= 0 and (usage_limit is null or times_redeemed <= usage_limit)`,
    ),
  ],
);

/**
 * The categories and collections that active, unexhausted deals discount or count as bought. Only
 * triggers (deal_targets_of_new and others) write to this table. The table is WITHOUT ROWID.
 */
export const dealTargets = sqliteTable(
  "deal_targets",
  {
    businessId: text("business_id").notNull(),
    scope: text("scope").$type<DealScope>().notNull(),
    targetId: text("target_id").notNull(),
    /** When the deal ends; the maximum value for a deal without an end. */
    endsAt: instant("ends_at").notNull(),
    dealId: text("deal_id").notNull(),
    startsAt: instant("starts_at"),
  },
  (t) => [primaryKey({ columns: [t.businessId, t.scope, t.targetId, t.endsAt, t.dealId] })],
);

/**
 * The uses of deals, with one row per order and deal. A row is deleted when its order releases the
 * deal.
 */
export const dealRedemptions = sqliteTable(
  "deal_redemptions",
  {
    orderId: text("order_id").notNull(),
    dealId: text("deal_id")
      .notNull()
      .references(() => deals.id),
    businessId: text("business_id").notNull(),
    /** Who used the deal. A use counts for all three, as far as they are known. */
    customerId: text("customer_id"),
    /** The address without its `+tag`. */
    email: text("email"),
    phone: text("phone"),
    /**
     * The number of this use among the customer's uses, from 1. `per_customer_limit` is the limit
     * at the time of the use.
     */
    nth: integer("nth").notNull(),
    perCustomerLimit: integer("per_customer_limit"),
    amountMinor: minorUnits("amount_minor").notNull(),
    redeemedAt: instant("redeemed_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.dealId] }),
    index("deal_redemptions_of_customer").on(t.dealId, t.customerId),
    index("deal_redemptions_of_email").on(t.dealId, t.email).where(sql`email is not null`),
    index("deal_redemptions_of_phone").on(t.dealId, t.phone).where(sql`phone is not null`),
    check(
      "deal_redemptions_per_customer",
      sql`per_customer_limit is null or nth <= per_customer_limit`,
    ),
    check("deal_redemptions_amount", sql`amount_minor > 0`),
  ],
);
