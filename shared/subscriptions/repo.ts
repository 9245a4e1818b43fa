import { and, desc, eq, gt, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { isLoginActive, type Login, loginEndedRefusal, loginRepo } from "../customers/index.ts";
import {
  type ConstraintRefusals,
  type Context,
  type Db,
  type DueRows,
  isUnfenced,
  knownPrefetch,
  type Prefetch,
  type Write,
} from "../database/index.ts";
import { conflict, notFound } from "../kernel/index.ts";
import { renewalLeaseMs } from "./dunning.ts";
import type { Invoice } from "./invoice.ts";
import { type InvoiceRow, invoiceRepo, toInvoice } from "./invoice-repo.ts";
import type { Subscription } from "./subscription.ts";
import { subscriptions } from "./tables.ts";

type SubscriptionRow = typeof subscriptions.$inferSelect;

/** A subscription with some of its invoices. */
export type InvoicedSubscription = Readonly<{
  subscription: Subscription;
  invoices: readonly Invoice[];
}>;

/** Identifies the last subscription of a page. The next page starts after this subscription. */
type SubscriptionCursor = Readonly<{ createdAt: number; id: string }>;

const maxListedSubscriptions = 100;

/** Subscriptions of one business; each read is one round trip. */
export function subscriptionRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;
  const own = eq(subscriptions.businessId, business.id);
  const invoices = invoiceRepo(ctx);
  const selectById = (id: string) =>
    db
      .select()
      .from(subscriptions)
      .where(and(own, eq(subscriptions.id, id)));
  const selectNewest = (condition: SQL | undefined, limit: number) =>
    db
      .select()
      .from(subscriptions)
      .where(and(own, condition))
      .orderBy(desc(subscriptions.createdAt), desc(subscriptions.id))
      .limit(limit);
  return {
    /** A subscription with its recent invoices, newest first. @throws Refusal NOT_FOUND. */
    async get(id: string, prefetch: Prefetch = knownPrefetch(null)): Promise<InvoicedSubscription> {
      const [rows, invoiceRows, ...prefetched] = await db.batch([
        selectById(id),
        invoices.selectRecent(id),
        ...prefetch.queries,
      ]);
      prefetch.receive(prefetched, 0);
      return toInvoicedSubscription(rows, invoiceRows);
    },

    /**
     * A subscription of the logged-in customer, with its recent invoices.
     *
     * @throws Refusal UNAUTHORIZED when the customer is no longer logged in, NOT_FOUND for another
     *   customer's subscription.
     */
    async getOfCustomer(
      id: string,
      login: Login,
      prefetch: Prefetch = knownPrefetch(null),
    ): Promise<InvoicedSubscription> {
      const [customers, rows, invoiceRows, ...prefetched] = await db.batch([
        loginRepo(ctx).sessionsEndedQuery(login),
        selectById(id),
        invoices.selectRecent(id),
        ...prefetch.queries,
      ]);
      prefetch.receive(prefetched, 0);
      if (!isLoginActive(login, customers)) throw loginEndedRefusal();
      return toInvoicedSubscription(
        rows.filter(({ customerId }) => customerId === login.customerId),
        invoiceRows,
      );
    },

    /**
     * The customer's subscriptions, newest first.
     *
     * @throws Refusal UNAUTHORIZED when the customer is no longer logged in.
     */
    async listOfCustomer(login: Login): Promise<Subscription[]> {
      const [customers, rows] = await db.batch([
        loginRepo(ctx).sessionsEndedQuery(login),
        selectNewest(eq(subscriptions.customerId, login.customerId), maxListedSubscriptions),
      ]);
      if (!isLoginActive(login, customers)) throw loginEndedRefusal();
      return rows.map(toSubscription);
    },

    /**
     * The business's subscriptions, newest first. `before` is the cursor of the last subscription
     * on the previous page.
     */
    async list({
      limit,
      before,
    }: {
      limit: number;
      before: SubscriptionCursor | null;
    }): Promise<Subscription[]> {
      const afterCursor =
        before === null
          ? undefined
          : sql`(${subscriptions.createdAt}, ${subscriptions.id}) < (${before.createdAt}, ${before.id})`;
      return (await selectNewest(afterCursor, limit)).map(toSubscription);
    },

    /**
     * The subscription that an order renews, with the invoice of the renewed period. Null for an
     * order that renews nothing.
     */
    async findOfOrder(orderId: string, id: string): Promise<InvoicedSubscription | null> {
      const [rows, invoiceRows] = await db.batch([
        selectById(id),
        invoices.selectOfOrder(id, orderId),
      ]);
      return rows.length > 0 && invoiceRows.length > 0
        ? toInvoicedSubscription(rows, invoiceRows)
        : null;
    },

    /** The statements that read a subscription and its oldest open invoice, for a batch. */
    dueQueries: (id: string) => [selectById(id), invoices.selectOldestOpen(id)] as const,

    /**
     * SQL for the ids of two orders of a subscription, as a subquery in parentheses: the order that
     * started it, and its unpaid renewal.
     */
    orderIdsQuery: (id: string): SQL => sql`(
      select began.order_id from subscriptions as began
        where began.id = ${id} and began.business_id = ${business.id}
      union select waiting.order_id from subscription_invoices as waiting
        where waiting.subscription_id = ${id} and waiting.status = 'open')`,

    /** A query in parentheses for one column of a subscription. */
    columnQuery: (id: string, column: "orderId" | "customerId" | "lastReference"): SQL => sql`(
      select ${subscriptions[column]} from ${subscriptions}
        where ${subscriptions.id} = ${id} and ${own})`,

    /** A query in parentheses for the ids of the products of a subscription. */
    productIdsQuery: (id: string): SQL => sql`(
      select item.value ->> 'productId' from ${subscriptions}, json_each(${subscriptions.items}) as item
        where ${subscriptions.id} = ${id} and ${own})`,

    /** A query in parentheses for the id of the order of a period. */
    periodOrderIdQuery: (id: string, cycle: number): SQL => sql`(
      select period.order_id from subscription_invoices as period
        where period.subscription_id = ${id} and period.cycle = ${cycle})`,

    insert(started: readonly Subscription[]): Write {
      const rows = JSON.stringify(started);
      return db.insert(subscriptions).select(sql`
        select value ->> 'id', ${business.id}, value ->> 'customerId', value ->> 'status',
          value -> 'plan', value -> 'items', value ->> 'currency', value ->> 'orderId',
          value ->> 'orderLineId', value ->> 'lastOrderId', value ->> 'lastReference',
          value ->> 'timezone', value ->> 'startedAt', value ->> 'anchorAt', value ->> 'cycle',
          value ->> 'nextCycle', value ->> 'endsAt', value ->> 'attempts', value ->> 'failedAt',
          value ->> 'failureReason', value ->> 'askedAt', value ->> 'cancelledAt', value ->> 'cancellationReason',
          value ->> 'skipKey', value ->> 'dueAt', value ->> 'createdAt', value ->> 'updatedAt',
          value ->> 'version', value ->> 'payment', value ->> 'cancelledBy'
        from json_each(${rows})`);
    },

    /**
     * Updates a subscription. The batch fails on `versionConstraint` when another change came
     * first.
     */
    update({ id, version, ...fields }: Subscription): Write {
      return db
        .update(subscriptions)
        .set({
          ...fields,
          version: sql`case when ${subscriptions.version} = ${version - 1} then ${version} end`,
        })
        .where(and(own, eq(subscriptions.id, id)));
    },

    /**
     * Ends the subscriptions that these order lines started, unless a later period was paid. The
     * job then cancels them and emits the event.
     */
    endStartedBy: (lineIds: readonly string[], now: number): Write =>
      db
        .update(subscriptions)
        .set({
          endsAt: now,
          dueAt: now,
          cancellationReason: "Its order was cancelled.",
          updatedAt: now,
          version: sql`${subscriptions.version} + 1`,
        })
        .where(
          and(
            own,
            sql`${subscriptions.orderLineId} in (select value from json_each(${JSON.stringify(lineIds)}))`,
            eq(subscriptions.orderId, subscriptions.lastOrderId),
            isRunningAt(now),
          ),
        ),
  };
}

/** SQL that is true for a subscription that has not ended at this time (epoch milliseconds). */
export const isRunningAt = (now: number): SQL | undefined =>
  and(
    ne(subscriptions.status, "cancelled"),
    or(isNull(subscriptions.endsAt), gt(subscriptions.endsAt, now)),
  );

/** The NOT NULL column that `update` violates when the subscription has a newer version. */
const versionConstraint = "subscriptions.version";

const periodInvoiced = () =>
  conflict("The period is being charged for already.", { retryable: true });

/** The refusals for violated constraints, for `commit`. */
export const subscriptionRefusals: ConstraintRefusals = {
  [versionConstraint]: () =>
    conflict("The subscription changed meanwhile; try again.", { retryable: true }),
  "subscription_invoices.cycle": periodInvoiced,
  "subscription_invoices.order_id": periodInvoiced,
  "subscription_invoices.id": periodInvoiced,
};

export const toSubscription = ({ businessId: _, ...subscription }: SubscriptionRow): Subscription =>
  subscription;

/** @throws Refusal NOT_FOUND when there is no row. */
export function toInvoicedSubscription(
  [row]: readonly SubscriptionRow[],
  invoices: readonly InvoiceRow[],
): InvoicedSubscription {
  if (!row) throw notFound("subscription");
  return { subscription: toSubscription(row), invoices: invoices.map(toInvoice) };
}

/** A subscription that a run of the job has claimed. */
export type DueSubscription = Readonly<{ id: string; businessId: string }>;

/** The subscriptions that `claimDueSubscriptions` claims. */
export const dueSubscriptions: DueRows = {
  table: subscriptions,
  since: subscriptions.dueAt,
  businessId: subscriptions.businessId,
};

/**
 * Claims the due subscriptions of a shard, longest overdue first. Other runs skip claimed
 * subscriptions for five minutes.
 */
export const claimDueSubscriptions = (
  db: Db,
  { now, limit }: { now: number; limit: number },
): Promise<DueSubscription[]> =>
  db
    .update(subscriptions)
    .set({ dueAt: now + renewalLeaseMs })
    .where(
      sql`${subscriptions.id} in (select due.id from subscriptions as due
        where due.due_at is not null and due.due_at <= ${now}
          and ${isUnfenced(sql`due.business_id`)} order by due.due_at limit ${limit})`,
    )
    .returning({ id: subscriptions.id, businessId: subscriptions.businessId });
