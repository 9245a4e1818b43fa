import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Login, loginRepo, stands } from "../customers/index.ts";
import { type Context, type Db, unfenced, type Write } from "../database/index.ts";
import { minute, notFound, sameDigest } from "../kernel/index.ts";
import { paymentRepo } from "../payments/index.ts";
import { bookingRepo } from "../scheduling/index.ts";
import type { Order, OrderLine } from "./order.ts";
import {
  type OrderRecord,
  type PaidOrder,
  paidOrdersOf,
  recordQueries,
  type TurnOfCart,
} from "./record-repo.ts";
import { searchTermsOf } from "./search-terms.ts";
import { orderHistory, orderLines, orderSequences, orders, orderTerms } from "./tables.ts";

/** An order whose payment is about to be authorized; claimed: one of the tries is this caller's. */
export type ClaimedTry = Readonly<{ paid: PaidOrder; isClaimed: boolean }>;

/** Who answers a payment's challenge, and who is logged in there; null for nobody. */
export type Authorizer = Readonly<{ sessionId: string; customerId: string | null }>;

const firstOrderNumber = 1001;

/** A query for the order of a payment, where it renews a subscription of the customer's. */
const renewalOf = (paymentId: string, customerId: string | null): SQL => sql`(
  select renewal.id from payments as payment
    join orders as renewal on renewal.id = payment.order_id
    join order_lines as line on line.order_id = renewal.id
    where payment.id = ${paymentId} and renewal.customer_id = ${customerId}
      and line.subscription ->> 'type' = 'renewal')`;

/** Orders of one business. */
export function orderRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;
  const own = (id: string) => and(eq(orders.id, id), eq(orders.businessId, business.id));

  async function read(id: string): Promise<OrderRecord> {
    const [found] = paidOrdersOf(await db.batch(recordQueries(ctx, sql`(${id})`)));
    if (!found) throw notFound("order");
    return found;
  }

  /** The changed order; of two changes from one version, the history's key lets one through. */
  const update = (order: Order, requestKey: string | null): Write[] => {
    const {
      status,
      paymentStatus,
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
          expiresAt,
          cancelledAt,
          cancellationReason,
          customerId,
          updatedAt,
          version,
        })
        .where(own(order.id)),
      historyEntry(order, requestKey),
    ];
  };

  return {
    /** @throws Refusal NOT_FOUND. */
    async get(id: string): Promise<PaidOrder> {
      return (await read(id)).paid;
    },

    /** The order that a bill_token opens; a wrong token and no such order look alike. */
    async getByToken(id: string, billTokenHash: string): Promise<PaidOrder> {
      const found = await read(id);
      if (!sameDigest(found.billTokenHash, billTokenHash)) throw notFound("order");
      return found.paid;
    },

    /** An order of the customer who is logged in; another's is not found, and nothing is once the login has ended. */
    async getOfCustomer(id: string, login: Login): Promise<PaidOrder> {
      const [customers, ...rows] = await db.batch([
        loginRepo(ctx).query(login),
        ...recordQueries(ctx, sql`(${id})`),
      ]);
      const [found] = paidOrdersOf(rows);
      const isTheirs = found?.paid.order.customerId === login.customerId;
      if (!found || !isTheirs || !stands(login, customers)) throw notFound("order");
      return found.paid;
    },

    /**
     * Takes one of a payment's tries, and reads its order; both in one round trip, before the
     * provider is asked, so that no more values than are allowed can ever reach it. Anybody else's
     * payment than this session's is not found, except a renewal's: its customer started it once, and
     * may be logged in anywhere by now.
     */
    async claimTry(paymentId: string, { sessionId, customerId }: Authorizer): Promise<ClaimedTry> {
      const payments = paymentRepo(ctx);
      const holder = { sessionId, orderIds: renewalOf(paymentId, customerId) };
      const ids = payments.orderIdOf(paymentId, holder);
      const [claims, ...rows] = await db.batch([
        payments.claimTry(paymentId, holder),
        ...recordQueries(ctx, ids),
      ]);
      const [found] = paidOrdersOf(rows);
      if (!found) throw notFound("payment");
      return { paid: found.paid, isClaimed: claims.length > 0 };
    },

    /** A query for an order's number: inside the batch that places it, the only way to it. */
    numberOf: (id: string) =>
      db.select({ orderNumber: orders.orderNumber }).from(orders).where(own(id)),

    /**
     * The order, its lines and its first history entry; the number is drawn in the same batch, which
     * fails (`isOrderedBefore`) on an order that is there, and on a turn of its cart that is taken.
     */
    insert(order: Order, { billTokenHash, sessionId, numberPrefix, ofCart }: NewOrder): Write[] {
      const { lines, statusHistory: _, orderNumber: __, ...record } = order;
      const drawn = sql`(select ${orderSequences.lastNumber} from ${orderSequences} where ${orderSequences.businessId} = ${business.id})`;
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
          businessId: business.id,
          orderNumber: sql`${numberPrefix} || ${drawn}`,
          billTokenHash,
          sessionId,
          cartId: ofCart?.cartId ?? null,
          cartTurn: ofCart?.turn ?? null,
        }),
        insertLines(order.id, lines),
        insertTerms(order),
        historyEntry(order, null),
      ];
    },

    /**
     * As it is from now on.
     *
     * @param requestKey a digest of the request that asks for the change, where a repeat is to be known.
     */
    update: (order: Order, requestKey: string | null = null): Write[] => update(order, requestKey),

    /** As `update`, of an order that has another customer now: its bookings are theirs as well. */
    assign: (order: Order): Write[] => [
      ...update(order, null),
      bookingRepo(ctx).assignAll(order.id, order.customerId),
    ],
  };

  function insertLines(orderId: string, lines: readonly OrderLine[]): Write {
    const rows = JSON.stringify(lines.map((line, position) => ({ ...line, position })));
    return db.insert(orderLines).select(sql`
      select value ->> 'id', ${orderId}, ${business.id}, value ->> 'position', value ->> 'productId',
        value ->> 'productName', value ->> 'variantId', value ->> 'variantName', value ->> 'quantity',
        value ->> 'unitPriceMinor', value -> 'addOnOptionIds', value ->> 'specialInstructions',
        value -> 'priceParts', nullif(value -> 'subscription', 'null')
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

/** An order that was taken up because its time was up; `until` nobody else takes it up. */
export type ExpiredOrder = Readonly<{ id: string; businessId: string; until: number | null }>;

const takenUpForMs = minute;

/**
 * Takes up unpaid orders of a whole shard whose time is up, the longest overdue first. Their time is put
 * off by a minute: what cannot be ended now is found again then, and stands in nobody's way meanwhile.
 */
export const claimExpiredOrders = (
  db: Db,
  { now, limit }: { now: number; limit: number },
): Promise<ExpiredOrder[]> =>
  db
    .update(orders)
    .set({ expiresAt: now + takenUpForMs })
    .where(
      sql`${orders.id} in (select due.id from orders as due
        where due.expires_at is not null and due.expires_at <= ${now}
          and ${unfenced(sql`due.business_id`)}
        order by due.expires_at limit ${limit})`,
    )
    .returning({ id: orders.id, businessId: orders.businessId, until: orders.expiresAt });

export type NewOrder = Readonly<{
  billTokenHash: string;
  sessionId: string;
  numberPrefix: string;
  /** Null for what is ordered from no cart. */
  ofCart: TurnOfCart | null;
}>;

/**
 * Whether a batch failed as the order is there already, or another took its cart's turn: which of the
 * two, only a read can tell.
 */
export const isOrderedBefore = (message: string): boolean =>
  message.includes("orders.id") || message.includes("orders.cart_id");
