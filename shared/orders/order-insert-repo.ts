import { type SQL, sql } from "drizzle-orm";
import {
  type ConstraintName,
  type Context,
  insertRow,
  jsonChunks,
  prepareInsert,
  type Write,
} from "../database/index.ts";
import type { Order, OrderLine } from "./order.ts";
import type { CartTurn } from "./order-details-query.ts";
import { firstOrderNumber } from "./order-number.ts";
import { searchTermsOf } from "./search-terms.ts";
import { orderHistory, orderLines, orderSequences, orders, orderTerms } from "./tables.ts";
import type { UnpaidLimitConditions } from "./unpaid-limits-query.ts";

type OrderDatabase = Pick<Context, "db" | "business">;

type OrderInsertInput = Readonly<{
  billTokenHash: string;
  sessionId: string;
  numberPrefix: string;
  /** The order's position in its cart; null for an order without a cart. */
  cartTurn: CartTurn | null;
  /** The condition that the order's prices are the current ones; undefined for agreed prices. */
  pricesAreCurrent?: SQL;
  /** Undefined for an order that is not a shopper's, such as a renewal. */
  unpaidLimits?: UnpaidLimitConditions;
  /** A digest of the shopper's network; null when it is not known. */
  addressDigest?: string | null;
  /** Whether a guest's details are saved when they log in. */
  savesDetails?: boolean;
}>;

const valueIf = (condition: SQL, value: string): SQL =>
  sql`case when ${condition} then ${value} end`;

/**
 * Inserts the order, its lines and its first history row, and assigns its number. The batch
 * fails (`isDuplicateOrderError`) when the order exists or its cart turn is taken, on
 * `outdatedPriceConstraint` when its prices are not the current ones, and with a constraint of
 * `unpaidLimitRefusals` beyond a limit.
 */
export function insertOrder(
  ctx: OrderDatabase,
  order: Order,
  {
    billTokenHash,
    sessionId,
    numberPrefix,
    cartTurn,
    pricesAreCurrent,
    unpaidLimits,
    addressDigest = null,
    savesDetails = false,
  }: OrderInsertInput,
): Write[] {
  const { db, business } = ctx;
  const { lines, statusHistory: _, orderNumber: __, ...record } = order;
  const assignedNumber = sql`(select ${orderSequences.lastNumber} from ${orderSequences} where ${orderSequences.businessId} = ${business.id})`;
  return [
    assignNextNumber(db, { businessId: business.id }),
    insertRow(db, orders, {
      ...record,
      ...(pricesAreCurrent && {
        totalPriceMinor: sql`case when ${pricesAreCurrent} then ${record.totalPriceMinor} end`,
      }),
      businessId: business.id,
      orderNumber: sql`${numberPrefix} || ${assignedNumber}`,
      billTokenHash,
      sessionId,
      addressDigest,
      ...(unpaidLimits && {
        sessionId: valueIf(unpaidLimits.isWithinOrdersOfAddress, sessionId),
        billTokenHash: valueIf(unpaidLimits.isWithinBookingsOfAddress, billTokenHash),
        locationId: valueIf(unpaidLimits.isWithinBookingsOfContact, record.locationId),
      }),
      savesDetails,
      cartId: cartTurn?.cartId ?? null,
      cartTurn: cartTurn?.turn ?? null,
    }),
    ...insertLines(ctx, order.id, lines),
    insertTerms(db, {
      businessId: business.id,
      orderId: order.id,
      terms: JSON.stringify(searchTermsOf(order)),
    }),
    insertHistoryEntry(ctx, order, null),
  ];
}

/** Several statements for many lines, because a parameter of D1 has at most 2 MB. */
function insertLines(
  { db, business }: OrderDatabase,
  orderId: string,
  lines: readonly OrderLine[],
): Write[] {
  const chunks = jsonChunks(lines.map((line, position) => ({ ...line, position })));
  return chunks.map((rows) => insertLineRows(db, { businessId: business.id, orderId, rows }));
}

const assignNextNumber = prepareInsert<{ businessId: string }>(orderSequences, (db, value) =>
  db
    .insert(orderSequences)
    .values({ businessId: value("businessId"), lastNumber: firstOrderNumber })
    .onConflictDoUpdate({
      target: orderSequences.businessId,
      set: { lastNumber: sql`${orderSequences.lastNumber} + 1` },
    }),
);

type LineRows = Readonly<{ businessId: string; orderId: string; rows: string }>;

const insertLineRows = prepareInsert<LineRows>(orderLines, (db, value) =>
  db.insert(orderLines).select(sql`
    select value ->> 'id', ${value("orderId")}, ${value("businessId")}, value ->> 'position',
      value ->> 'productId', value ->> 'productName', value ->> 'variantId',
      value ->> 'variantName', value ->> 'quantity', value ->> 'unitPriceMinor',
      value -> 'addOnOptionIds', value ->> 'specialInstructions', value -> 'priceParts',
      nullif(value -> 'choices', 'null'), nullif(value -> 'subscription', 'null'),
      nullif(value -> 'details', 'null'), value ->> 'taxMinor', value ->> 'requiresShipping',
      nullif(value -> 'stockPerUnit', 'null'), value ->> 'exemptedTaxMinor'
    from json_each(${value("rows")})`),
);

type TermRows = Readonly<{ businessId: string; orderId: string; terms: string }>;

const insertTerms = prepareInsert<TermRows>(orderTerms, (db, value) =>
  db
    .insert(orderTerms)
    .select(
      sql`select ${value("businessId")}, value, ${value("orderId")} from json_each(${value("terms")})`,
    ),
);

/**
 * Adds a history row. Its primary key contains the version, so that the second of two changes to
 * the same version fails.
 */
export function insertHistoryEntry(
  { db }: Pick<OrderDatabase, "db">,
  { id, version, status, paymentStatus, statusHistory, updatedAt }: Order,
  requestKey: string | null,
): Write {
  const actor = statusHistory.at(-1)?.by ?? "system";
  const entry = { orderId: id, version, status, paymentStatus, actor, at: updatedAt, requestKey };
  return insertRow(db, orderHistory, entry);
}

/** The constraint on which the insert of an order fails when its prices are out of date. */
export const outdatedPriceConstraint = "orders.total_price_minor";

/**
 * Whether a batch failed because the order exists, or because another order has the same position
 * in the cart. Callers read the order to find out which.
 */
export const isDuplicateOrderError = (constraint: ConstraintName | null): boolean =>
  constraint === "orders.id" || constraint === "orders.cart_id";
