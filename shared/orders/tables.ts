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
import type { Json } from "../kernel/index.ts";
import { type PaymentStatus, paymentStatuses } from "../payments/index.ts";
import {
  type Order,
  type OrderLine,
  type OrderStatus,
  type OrderType,
  orderStatuses,
  orderTypes,
} from "./order.ts";

/** The last assigned order number of each business. */
export const orderSequences = sqliteTable("order_sequences", {
  businessId: text("business_id").primaryKey(),
  lastNumber: integer("last_number").notNull(),
});

export const orders = sqliteTable(
  "orders",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    orderNumber: text("order_number").notNull(),
    status: text("status").$type<OrderStatus>().notNull(),
    orderType: text("order_type").$type<OrderType>().notNull(),
    subtotalMinor: minorUnits("subtotal_minor").notNull(),
    discountTotalMinor: minorUnits("discount_total_minor").notNull(),
    taxTotalMinor: minorUnits("tax_total_minor").notNull(),
    totalPriceMinor: minorUnits("total_price_minor").notNull(),
    discounts: document<Order["discounts"]>("discounts").notNull().default([]),
    currency: text("currency").notNull(),
    customerId: text("customer_id"),
    customerName: text("customer_name"),
    customerEmail: text("customer_email"),
    customerPhone: text("customer_phone"),
    customerNotes: text("customer_notes"),
    paymentStatus: text("payment_status").$type<PaymentStatus>().notNull(),
    paymentMethod: text("payment_method").notNull(),
    locationId: text("location_id").notNull(),
    addressInfo: document<Record<string, Json>>("address_info"),
    specialInstructions: text("special_instructions"),
    metadata: document<Record<string, Json>>("metadata").notNull(),
    /** The merchant's own; shoppers never see them. */
    tags: document<readonly string[]>("tags").notNull().default([]),
    /** The SHA-256 digest of the bill_token. */
    billTokenHash: text("bill_token_hash").notNull(),
    sessionId: text("session_id").notNull(),
    /** Whether a guest wishes these details in their record when they log in. */
    savesDetails: flag("saves_details").notNull().default(false),
    /**
     * The cart that the order was placed from; null for an order without a cart, such as a renewal.
     */
    cartId: text("cart_id"),
    /**
     * The order's position among the orders of its cart, counted from 1. A checkout takes the
     * position after the orders that it has read.
     */
    cartTurn: integer("cart_turn"),
    cancelledAt: instant("cancelled_at"),
    cancellationReason: text("cancellation_reason"),
    /** When an unpaid order is cancelled; null for an order that does not expire. */
    expiresAt: instant("expires_at"),
    /**
     * The provider that must be asked before the order may expire, when the background Worker has
     * no key for it.
     */
    missingProvider: text("missing_provider"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    version: integer("version").notNull(),
    /** When the order's lines were counted for popularity and recommendations; null until then. */
    countedAt: instant("counted_at"),
    /**
     * A digest of the network that the order was placed from, for the limit of unpaid orders. A job
     * clears it after an hour.
     */
    addressDigest: text("address_digest"),
    /** The rule by which the tax was calculated; null for orders from before it was stored. */
    tax: document<NonNullable<Order["tax"]>>("tax"),
    deliveryTotalMinor: minorUnits("delivery_total_minor").notNull().default(0),
    /** The tax of each rate; null for orders from before it was stored. */
    taxLines: document<Order["taxLines"]>("tax_lines"),
    /** How it is delivered or collected, without the price and the address of the other columns. */
    delivery: document<NonNullable<Order["delivery"]>>("delivery"),
  },
  (t) => [
    uniqueIndex("orders_number").on(t.businessId, t.orderNumber),
    // When two concurrent checkouts of a cart have read the same orders, the second one fails.
    uniqueIndex("orders_of_cart").on(t.cartId, t.cartTurn).where(sql`cart_id is not null`),
    index("orders_newest").on(t.businessId, t.createdAt, t.id),
    index("orders_by_customer").on(t.businessId, t.customerId, t.createdAt, t.id),
    // Guest orders, which a login with their contact takes over.
    index("orders_of_guest_phone")
      .on(t.businessId, t.customerPhone)
      .where(sql`customer_id is null and customer_phone is not null`),
    index("orders_of_guest_email")
      .on(t.businessId, t.customerEmail)
      .where(sql`customer_id is null and customer_email is not null`),
    index("orders_by_status").on(t.businessId, t.status, t.createdAt, t.id),
    index("orders_by_payment_status").on(t.businessId, t.paymentStatus, t.createdAt, t.id),
    index("orders_by_location").on(t.businessId, t.locationId, t.createdAt, t.id),
    index("orders_of_address")
      .on(t.addressDigest, t.createdAt)
      .where(sql`address_digest is not null`),
    index("orders_with_address").on(t.createdAt).where(sql`address_digest is not null`),
    index("orders_expiring").on(t.expiresAt).where(sql`expires_at is not null`),
    index("orders_without_provider")
      .on(t.businessId, t.missingProvider)
      .where(sql`missing_provider is not null`),
    index("orders_uncounted")
      .on(t.createdAt)
      .where(sql`counted_at is null and status not in ('pending', 'cancelled')`),
    check("orders_status", oneOf(t.status, orderStatuses)),
    check("orders_type", oneOf(t.orderType, orderTypes)),
    check("orders_payment_status", oneOf(t.paymentStatus, paymentStatuses)),
    check(
      "orders_amounts",
      sql`subtotal_minor >= 0 and discount_total_minor >= 0 and tax_total_minor >= 0 and total_price_minor >= 0`,
    ),
  ],
);

export const orderLines = sqliteTable(
  "order_lines",
  {
    id: text("id").primaryKey(),
    orderId: text("order_id")
      .notNull()
      .references(() => orders.id),
    businessId: text("business_id").notNull(),
    position: integer("position").notNull(),
    productId: text("product_id").notNull(),
    productName: text("product_name").notNull(),
    variantId: text("variant_id"),
    variantName: text("variant_name"),
    quantity: integer("quantity").notNull(),
    unitPriceMinor: minorUnits("unit_price_minor").notNull(),
    addOnOptionIds: document<OrderLine["addOnOptionIds"]>("add_on_option_ids").notNull(),
    specialInstructions: text("special_instructions"),
    priceParts: document<OrderLine["priceParts"]>("price_parts").notNull().default([]),
    /** What it was configured with in its cart beyond the columns above; null for a plain line. */
    choices: document<NonNullable<OrderLine["choices"]>>("choices"),
    /** The subscription that the line's payment starts or renews; null for a one-time purchase. */
    subscription: document<NonNullable<OrderLine["subscription"]>>("subscription"),
    /** The slug, image, add-on options and contents at the time of the order. */
    details: document<NonNullable<OrderLine["details"]>>("details"),
    /** The tax of all units; null for orders from before it was stored per line. */
    taxMinor: minorUnits("tax_minor"),
    requiresShipping: flag("requires_shipping").notNull().default(true),
    /** What one unit takes from stock, by item; null for orders from before it was stored. */
    stockPerUnit: document<NonNullable<OrderLine["stockPerUnit"]>>("stock_per_unit"),
    /** The tax that the price of all units includes and an exempt customer did not pay. */
    exemptedTaxMinor: minorUnits("exempted_tax_minor").notNull().default(0),
  },
  (t) => [
    uniqueIndex("order_lines_in_order").on(t.orderId, t.position),
    index("order_lines_by_product").on(t.businessId, t.productId, t.orderId),
    check("order_lines_quantity", sql`quantity between 1 and 100`),
    check("order_lines_price", sql`unit_price_minor >= 0`),
  ],
);

/**
 * A row for each change of an order. Of two concurrent changes to the same version, the primary key
 * makes the second fail.
 */
export const orderHistory = sqliteTable(
  "order_history",
  {
    orderId: text("order_id")
      .notNull()
      .references(() => orders.id),
    version: integer("version").notNull(),
    status: text("status").$type<OrderStatus>().notNull(),
    paymentStatus: text("payment_status").$type<PaymentStatus>().notNull(),
    actor: text("actor").notNull(),
    at: instant("at").notNull(),
    /** The key of the request that made the change; null without an Idempotency-Key. */
    requestKey: text("request_key"),
  },
  (t) => [primaryKey({ columns: [t.orderId, t.version] })],
);

/** The words by which a merchant's search finds an order (`searchTermsOf`). */
export const orderTerms = sqliteTable(
  "order_terms",
  {
    businessId: text("business_id").notNull(),
    term: text("term").notNull(),
    orderId: text("order_id")
      .notNull()
      .references(() => orders.id),
  },
  (t) => [
    primaryKey({ columns: [t.businessId, t.term, t.orderId] }),
    index("order_terms_by_order").on(t.orderId),
  ],
);
