import { type SQL, sql } from "drizzle-orm";
import {
  type ConstraintRefusals,
  type Context,
  type Db,
  type DueRows,
  integerLiteral,
  isUnfenced,
  type Write,
} from "../database/index.ts";
import { hour, ruleViolation } from "../kernel/index.ts";
import type { Order } from "./order.ts";
import { orders } from "./tables.ts";

/** How long an unpaid order counts against the limit of its network. */
const unpaidLimitWindowMs = hour;

/** Conditions of a new order. `orderRepo` makes the batch fail when one is false. */
export type UnpaidLimitConditions = Readonly<{
  isWithinOrdersOfAddress: SQL;
  isWithinBookingsOfAddress: SQL;
  isWithinBookingsOfContact: SQL;
}>;

type NewUnpaidOrder = Readonly<{
  order: Pick<Order, "id" | "customerId" | "customerEmail" | "customerPhone" | "createdAt">;
  bookingCount: number;
  addressDigest: string | null;
  /** Orders that the same batch cancels, so they do not count. */
  replacedIds: readonly string[];
  limits: Readonly<{ bookingsPerContact: number; perAddress: number }>;
}>;

/**
 * Whether an order counts as unpaid. One that the business has accepted does not; a free one does,
 * because nobody ever pays it.
 */
const isUnpaid = sql`(earlier.status = 'pending'
    and earlier.payment_status in ('pending', 'requires_action', 'processing', 'failed')
  or earlier.total_price_minor = 0 and earlier.status in ('pending', 'confirmed'))`;

/**
 * The conditions under which an order may be placed: its contact and its network have few other
 * unpaid bookings and orders (docs/contract/conventions.md#unpaid-limits). An order that exists
 * passes, so that a repeat of its batch finds it. Reads the table bookings of shared/scheduling.
 */
export function unpaidLimitConditions(
  { business }: Pick<Context, "business">,
  { order, bookingCount, addressDigest, replacedIds, limits }: NewUnpaidOrder,
): UnpaidLimitConditions {
  const exists = sql`exists (select 1 from orders as placed where placed.id = ${order.id})`;
  const isOther = sql`${isUnpaid} and +earlier.business_id = ${business.id}
    and earlier.id not in (select value from json_each(${JSON.stringify(replacedIds)}))`;
  const isRecent = sql`earlier.address_digest = ${addressDigest}
    and earlier.created_at > ${order.createdAt - unpaidLimitWindowMs}`;
  const isActive = sql`booked.status in ('pending', 'confirmed')`;
  const bookingsOfAddress = sql`(select count(*) from orders as earlier
    join bookings as booked on booked.order_id = earlier.id
    where ${isRecent} and ${isOther} and ${isActive})`;
  // Counts no further than the limit, because many orders may come from one network.
  const ordersOfAddress = sql`(select count(*) from (select 1 from orders as earlier
    where ${isRecent} and ${isOther} limit ${integerLiteral(limits.perAddress)}))`;
  const bookingsOfContact = sql`(select count(*) from bookings as booked
    cross join orders as earlier on earlier.id = booked.order_id
    where booked.id in (${bookingIdsOf({ business }, order)}) and ${isOther} and ${isActive}
      and booked.start_time > ${order.createdAt})`;
  const isWithin = (used: SQL, added: number, limit: number) =>
    added === 0 ? sql`1` : sql`(${used} + ${added} <= ${limit} or ${exists})`;
  return {
    isWithinOrdersOfAddress: isWithin(ordersOfAddress, 1, limits.perAddress),
    isWithinBookingsOfAddress: isWithin(bookingsOfAddress, bookingCount, limits.perAddress),
    isWithinBookingsOfContact: isWithin(bookingsOfContact, bookingCount, limits.bookingsPerContact),
  };
}

/**
 * A query for the bookings of the order's customer, or of guests with one of its contacts. Reads the
 * table bookings of shared/scheduling.
 */
function bookingIdsOf(
  { business }: Pick<Context, "business">,
  { customerId, customerEmail, customerPhone, createdAt }: NewUnpaidOrder["order"],
): SQL {
  if (customerId !== null) {
    return sql`select own.id from bookings as own where own.business_id = ${business.id}
      and own.customer_id = ${customerId} and own.start_time > ${createdAt}`;
  }
  const ofGuests = (column: SQL, contact: string | null) =>
    sql`select own.id from orders as placed join bookings as own on own.order_id = placed.id
      where placed.business_id = ${business.id} and placed.customer_id is null
        and ${column} = ${contact}`;
  return sql`${ofGuests(sql`placed.customer_email`, customerEmail)}
    union ${ofGuests(sql`placed.customer_phone`, customerPhone)}`;
}

/** The orders whose network `clearAddressDigests` forgets. */
export const ordersWithOldAddress: DueRows = {
  table: orders,
  since: orders.createdAt,
  afterMs: unpaidLimitWindowMs,
  condition: sql`address_digest is not null`,
  businessId: orders.businessId,
};

/**
 * Forgets from which network orders were placed, once they no longer count against its limit.
 */
export const clearAddressDigests = (db: Db, now: number): Write =>
  db
    .update(orders)
    .set({ addressDigest: null })
    .where(
      sql`${orders.id} in (select placed.id from orders as placed
        where placed.address_digest is not null and placed.created_at <= ${now - unpaidLimitWindowMs}
          and ${isUnfenced(sql`placed.business_id`)}
        order by placed.created_at limit 500)`,
    );

/**
 * The refusals of an order beyond a limit of unpaid bookings and orders, by the column that `insert`
 * leaves empty for it.
 */
export const unpaidLimitRefusals = ({
  bookingsPerContact,
  perAddress,
}: Readonly<{ bookingsPerContact: number; perAddress: number }>): ConstraintRefusals => ({
  "orders.session_id": () =>
    ruleViolation(
      "TOO_MANY_UNPAID_ORDERS",
      "Too many unpaid orders come from this network. Pay or cancel one, or wait an hour.",
      { scope: "address", limit: perAddress, retry_after_ms: unpaidLimitWindowMs },
    ),
  "orders.bill_token_hash": () =>
    ruleViolation(
      "TOO_MANY_UNPAID_BOOKINGS",
      "Too many unpaid bookings come from this network. Pay or cancel one, or wait an hour.",
      { scope: "address", limit: perAddress, retry_after_ms: unpaidLimitWindowMs },
    ),
  "orders.location_id": () =>
    ruleViolation(
      "TOO_MANY_UNPAID_BOOKINGS",
      "This contact has too many unpaid bookings. Pay or cancel one, or ask the business.",
      { scope: "contact", limit: bookingsPerContact },
    ),
});
