import { and, eq, type SQL, sql } from "drizzle-orm";
import { isLoginActive, type Login, loginRepo } from "../customers/index.ts";
import type { ConstraintName, Context, Write } from "../database/index.ts";
import { assignRedemptions } from "../deals/index.ts";
import { digestsEqual, notFound } from "../kernel/index.ts";
import { bookingRepo } from "../scheduling/index.ts";
import type { PaymentSource } from "../subscriptions/index.ts";
import { orderIdQuery } from "./annotation-repo.ts";
import type { Order, OrderLine } from "./order.ts";
import {
  type CartTurn,
  type OrderDetails,
  type OrderRecord,
  orderDetailsQueries,
  toOrderRecords,
} from "./order-details-query.ts";
import { firstOrderNumber } from "./order-number.ts";
import { searchTermsOf } from "./search-terms.ts";
import { orderHistory, orderLines, orderSequences, orders, orderTerms } from "./tables.ts";
import type { UnpaidLimitConditions } from "./unpaid-limits-query.ts";

/** Orders of one business. */
export function orderRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;
  const byId = (id: string) => and(eq(orders.id, id), eq(orders.businessId, business.id));

  async function loadRecord(ids: SQL): Promise<OrderRecord> {
    const [record] = toOrderRecords(await db.batch(orderDetailsQueries(ctx, ids)));
    if (!record) throw notFound("order");
    return record;
  }

  /**
   * Updates the order and adds a history row. The row's primary key contains the version, so that
   * the second of two changes to the same version fails.
   */
  const update = (order: Order, requestKey: string | null): Write[] => {
    const {
      status,
      paymentStatus,
      paymentMethod,
      metadata,
      expiresAt,
      cancelledAt,
      cancellationReason,
      customerId,
      updatedAt,
      version,
    } = order;
    return [
      db
        .update(orders)
        .set({
          status,
          paymentStatus,
          paymentMethod,
          metadata,
          expiresAt,
          cancelledAt,
          cancellationReason,
          customerId,
          updatedAt,
          version,
        })
        .where(byId(order.id)),
      historyEntry(order, requestKey),
    ];
  };

  return {
    /** @throws Refusal NOT_FOUND. */
    async get(id: string): Promise<OrderDetails> {
      return (await loadRecord(sql`(${id})`)).details;
    },

    /** The order with this id, or with this order number in any case. @throws Refusal NOT_FOUND. */
    async getByIdOrNumber(idOrNumber: string): Promise<OrderDetails> {
      return (await loadRecord(sql`(${orderIdQuery(business, idOrNumber)})`)).details;
    },

    /**
     * Finds an order by its id and bill_token. A wrong bill_token is NOT_FOUND, like an unknown
     * order.
     */
    async getByToken(id: string, billTokenHash: string): Promise<OrderDetails> {
      const record = await loadRecord(sql`(${id})`);
      if (!digestsEqual(record.billTokenHash, billTokenHash)) throw notFound("order");
      return record.details;
    },

    /**
     * An order that was placed in the session. One that belongs to a customer opens only to that
     * customer, because somebody else may use the browser by now.
     *
     * @param login the session's login; null for a guest.
     * @throws Refusal NOT_FOUND for every other order.
     */
    async getOfSession(
      id: string,
      { sessionId, login }: Readonly<{ sessionId: string; login: Login | null }>,
    ): Promise<OrderDetails> {
      const customerId = login?.customerId ?? null;
      const [customers, ...rows] = await db.batch([
        loginRepo(ctx).sessionsEndedQuery(login ?? { customerId: "", loggedInAt: 0 }),
        ...orderDetailsQueries(ctx, sql`(${id})`),
      ]);
      const [record] = toOrderRecords(rows);
      const ownerId = record?.details.order.customerId ?? null;
      const isGuestOrder = ownerId === null && record?.sessionId === sessionId;
      const isOwnOrder =
        login !== null && ownerId === customerId && isLoginActive(login, customers);
      if (!record || !(isGuestOrder || isOwnOrder)) throw notFound("order");
      return record.details;
    },

    /** Stores how the subscriptions that the order starts are paid from now on. */
    setSubscriptionPayer: (
      orderId: string,
      payer: Pick<PaymentSource, "mobileMoney" | "page">,
    ): Write =>
      db
        .update(orderLines)
        .set({
          subscription: sql`json_set(${orderLines.subscription},
            '$.mobileMoney', json(${JSON.stringify(payer.mobileMoney)}),
            '$.page', json(${JSON.stringify(payer.page)}))`,
        })
        .where(
          and(
            eq(orderLines.orderId, orderId),
            eq(orderLines.businessId, business.id),
            sql`${orderLines.subscription} ->> 'type' = 'new'`,
          ),
        ),

    /**
     * A query for the order's number, for the batch that places the order and assigns the number.
     */
    numberOf: (id: string) =>
      db.select({ orderNumber: orders.orderNumber }).from(orders).where(byId(id)),

    /**
     * Inserts the order, its lines and its first history row, and assigns its number. The batch
     * fails (`isDuplicateOrderError`) when the order exists or its cart turn is taken, on
     * `outdatedPriceConstraint` when its prices are not the current ones, and with a constraint of
     * `unpaidLimitRefusals` beyond a limit.
     */
    insert(
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
      const { lines, statusHistory: _, orderNumber: __, ...record } = order;
      const assignedNumber = sql`(select ${orderSequences.lastNumber} from ${orderSequences} where ${orderSequences.businessId} = ${business.id})`;
      return [
        db
          .insert(orderSequences)
          .values({ businessId: business.id, lastNumber: firstOrderNumber })
          .onConflictDoUpdate({
            target: orderSequences.businessId,
            set: { lastNumber: sql`${orderSequences.lastNumber} + 1` },
          }),
        db.insert(orders).values({
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
        insertLines(order.id, lines),
        insertTerms(order),
        historyEntry(order, null),
      ];
    },

    /**
     * Stores the order's next version.
     *
     * @param requestKey the key of the request, stored so that a repeat is recognised.
     */
    update: (order: Order, requestKey: string | null = null): Write[] => update(order, requestKey),

    /**
     * Stores the order's next version like `update`, and assigns the order's bookings to its
     * customer.
     *
     * @param allowedBy a query; when it returns no row, the batch fails on `orders.updated_at`.
     */
    assignCustomer: (order: Order, allowedBy: SQL | null = null): Write[] => [
      ...(allowedBy === null ? [] : [assertHasRow(order.id, allowedBy)]),
      ...update(order, null),
      bookingRepo(ctx).assignAll(order.id, order.customerId),
      assignRedemptions(ctx, sql`(${order.id})`, order.customerId),
    ],
  };

  /**
   * Makes the batch fail when the query returns no row: the NOT NULL column `orders.updated_at` is
   * then set to null.
   */
  function assertHasRow(orderId: string, query: SQL): Write {
    return db
      .update(orders)
      .set({ updatedAt: sql`case when exists (${query}) then ${orders.updatedAt} end` })
      .where(byId(orderId));
  }

  function insertLines(orderId: string, lines: readonly OrderLine[]): Write {
    const rows = JSON.stringify(lines.map((line, position) => ({ ...line, position })));
    return db.insert(orderLines).select(sql`
      select value ->> 'id', ${orderId}, ${business.id}, value ->> 'position', value ->> 'productId',
        value ->> 'productName', value ->> 'variantId', value ->> 'variantName', value ->> 'quantity',
        value ->> 'unitPriceMinor', value -> 'addOnOptionIds', value ->> 'specialInstructions',
        value -> 'priceParts', nullif(value -> 'choices', 'null'),
        nullif(value -> 'subscription', 'null'), nullif(value -> 'details', 'null')
      from json_each(${rows})`);
  }

  function insertTerms(order: Order): Write {
    const terms = JSON.stringify(searchTermsOf(order));
    return db
      .insert(orderTerms)
      .select(sql`select ${business.id}, value, ${order.id} from json_each(${terms})`);
  }

  function historyEntry(
    { id, version, status, paymentStatus, statusHistory, updatedAt }: Order,
    requestKey: string | null,
  ): Write {
    const actor = statusHistory.at(-1)?.by ?? "system";
    return db
      .insert(orderHistory)
      .values({ orderId: id, version, status, paymentStatus, actor, at: updatedAt, requestKey });
  }
}

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

/** The constraint on which the insert of an order fails when its prices are out of date. */
export const outdatedPriceConstraint = "orders.total_price_minor";

/**
 * Whether a batch failed because the order exists, or because another order has the same position
 * in the cart. Callers read the order to find out which.
 */
export const isDuplicateOrderError = (constraint: ConstraintName | null): boolean =>
  constraint === "orders.id" || constraint === "orders.cart_id";
