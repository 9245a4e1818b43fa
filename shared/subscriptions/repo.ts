import { and, desc, eq, gt, isNull, notInArray, or, type SQL, sql } from "drizzle-orm";
import { isLoginActive, type Login, loginEndedRefusal, loginRepo } from "../customers/index.ts";
import {
  type ConstraintRefusals,
  type Context,
  type Db,
  isUnfenced,
  type Write,
} from "../database/index.ts";
import { conflict, minute, notFound } from "../kernel/index.ts";
import type { Invoice } from "./invoice.ts";
import type { Subscription } from "./subscription.ts";
import { subscriptionInvoices, subscriptions } from "./tables.ts";

type SubscriptionRow = typeof subscriptions.$inferSelect;
type InvoiceRow = typeof subscriptionInvoices.$inferSelect;

/** A subscription with some of its invoices. */
export type InvoicedSubscription = Readonly<{
  subscription: Subscription;
  invoices: readonly Invoice[];
}>;

/** The sort key of the last subscription on a page. */
type SubscriptionCursor = Readonly<{ createdAt: number; id: string }>;

const maxRecentInvoices = 12;
const maxListedSubscriptions = 100;

/** Subscriptions of one business; each read is one round trip. */
export function subscriptionRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;
  const t = subscriptions;
  const own = eq(t.businessId, business.id);
  const selectById = (id: string) =>
    db
      .select()
      .from(t)
      .where(and(own, eq(t.id, id)));
  const selectNewest = (condition: SQL | undefined, limit: number) =>
    db
      .select()
      .from(t)
      .where(and(own, condition))
      .orderBy(desc(t.createdAt), desc(t.id))
      .limit(limit);
  const selectRecentInvoices = (id: string) =>
    db
      .select()
      .from(subscriptionInvoices)
      .where(
        and(
          eq(subscriptionInvoices.subscriptionId, id),
          eq(subscriptionInvoices.businessId, business.id),
        ),
      )
      .orderBy(desc(subscriptionInvoices.cycle))
      .limit(maxRecentInvoices);

  return {
    /** With its recent invoices, newest first. @throws Refusal NOT_FOUND. */
    async get(id: string): Promise<InvoicedSubscription> {
      const [rows, invoices] = await db.batch([selectById(id), selectRecentInvoices(id)]);
      return toInvoicedSubscription(rows, invoices);
    },

    /**
     * As `get`, for the logged-in customer. @throws Refusal UNAUTHORIZED when the login has ended,
     * NOT_FOUND for another customer's subscription.
     */
    async getOfCustomer(id: string, login: Login): Promise<InvoicedSubscription> {
      const [customers, rows, invoices] = await db.batch([
        loginRepo(ctx).sessionsEndedQuery(login),
        selectById(id),
        selectRecentInvoices(id),
      ]);
      if (!isLoginActive(login, customers)) throw loginEndedRefusal();
      return toInvoicedSubscription(
        rows.filter(({ customerId }) => customerId === login.customerId),
        invoices,
      );
    },

    /**
     * The customer's subscriptions, newest first. @throws Refusal UNAUTHORIZED when the login has
     * ended.
     */
    async listOfCustomer(login: Login): Promise<Subscription[]> {
      const [customers, rows] = await db.batch([
        loginRepo(ctx).sessionsEndedQuery(login),
        selectNewest(eq(t.customerId, login.customerId), maxListedSubscriptions),
      ]);
      if (!isLoginActive(login, customers)) throw loginEndedRefusal();
      return rows.map(toSubscription);
    },

    /**
     * The business's subscriptions, newest first; `before` is the cursor of the last one on the
     * previous page.
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
          : sql`(${t.createdAt}, ${t.id}) < (${before.createdAt}, ${before.id})`;
      return (await selectNewest(afterCursor, limit)).map(toSubscription);
    },

    /**
     * The subscription that an order renews, with that period's invoice; null for any other order.
     */
    async findOfOrder(orderId: string, id: string): Promise<InvoicedSubscription | null> {
      const [rows, invoices] = await db.batch([
        selectById(id),
        db
          .select()
          .from(subscriptionInvoices)
          .where(
            and(
              eq(subscriptionInvoices.orderId, orderId),
              eq(subscriptionInvoices.subscriptionId, id),
              eq(subscriptionInvoices.businessId, business.id),
            ),
          ),
      ]);
      return rows.length > 0 && invoices.length > 0 ? toInvoicedSubscription(rows, invoices) : null;
    },

    /** The statements that read a subscription and its open invoice, for one batch. */
    dueQueries: (id: string) =>
      [
        selectById(id),
        db
          .select()
          .from(subscriptionInvoices)
          .where(
            and(
              eq(subscriptionInvoices.subscriptionId, id),
              eq(subscriptionInvoices.businessId, business.id),
              eq(subscriptionInvoices.status, "open"),
            ),
          )
          .orderBy(subscriptionInvoices.cycle)
          .limit(1),
      ] as const,

    /**
     * A query in parentheses for the ids of the order that started a subscription and of its unpaid
     * renewal.
     */
    orderIdsQuery: (id: string): SQL => sql`(
      select began.order_id from subscriptions as began
        where began.id = ${id} and began.business_id = ${business.id}
      union select waiting.order_id from subscription_invoices as waiting
        where waiting.subscription_id = ${id} and waiting.status = 'open')`,

    insert(started: readonly Subscription[]): Write {
      const rows = JSON.stringify(started);
      return db.insert(t).select(sql`
        select value ->> 'id', ${business.id}, value ->> 'customerId', value ->> 'status',
          value -> 'plan', value -> 'items', value ->> 'currency', value ->> 'orderId',
          value ->> 'orderLineId', value ->> 'lastOrderId', value ->> 'lastReference',
          value ->> 'timezone', value ->> 'startedAt', value ->> 'anchorAt', value ->> 'cycle',
          value ->> 'nextCycle', value ->> 'endsAt', value ->> 'attempts', value ->> 'failedAt',
          value ->> 'failureReason', value ->> 'askedAt', value ->> 'cancelledAt', value ->> 'cancellationReason',
          value ->> 'skipKey', value ->> 'dueAt', value ->> 'createdAt', value ->> 'updatedAt',
          value ->> 'version'
        from json_each(${rows})`);
    },

    insertInvoices(invoices: readonly Invoice[]): Write {
      const rows = JSON.stringify(invoices);
      return db.insert(subscriptionInvoices).select(sql`
        select value ->> 'id', ${business.id}, value ->> 'subscriptionId', value ->> 'cycle',
          value ->> 'orderId', value ->> 'status', value ->> 'amountMinor', value ->> 'currency',
          value ->> 'periodStart', value ->> 'periodEnd', value ->> 'createdAt', value ->> 'paidAt'
        from json_each(${rows})`);
    },

    /** Makes the batch fail on `versionConstraint` when another change came first. */
    update({ id, version, ...fields }: Subscription): Write {
      return db
        .update(t)
        .set({
          ...fields,
          version: sql`case when ${t.version} = ${version - 1} then ${version} end`,
        })
        .where(and(own, eq(t.id, id)));
    },

    /**
     * Ends the subscriptions that these order lines started, unless a later period was paid. The
     * job finds the end reached and emits the event.
     */
    endStartedBy: (lineIds: readonly string[], now: number): Write =>
      db
        .update(t)
        .set({
          endsAt: now,
          dueAt: now,
          cancellationReason: "Its order was cancelled.",
          updatedAt: now,
          version: sql`${t.version} + 1`,
        })
        .where(
          and(
            own,
            sql`${t.orderLineId} in (select value from json_each(${JSON.stringify(lineIds)}))`,
            eq(t.orderId, t.lastOrderId),
            isRunningAt(now),
          ),
        ),

    settleInvoice: (
      { id }: Pick<Invoice, "id">,
      { status, paidAt }: Pick<Invoice, "status" | "paidAt">,
    ): Write =>
      db
        .update(subscriptionInvoices)
        .set({ status, paidAt })
        .where(
          and(eq(subscriptionInvoices.id, id), eq(subscriptionInvoices.businessId, business.id)),
        ),
  };
}

/** SQL for a subscription that has not ended at that instant (epoch milliseconds). */
export const isRunningAt = (now: number): SQL | undefined =>
  and(
    notInArray(subscriptions.status, ["cancelled", "expired"]),
    or(isNull(subscriptions.endsAt), gt(subscriptions.endsAt, now)),
  );

/** The NOT NULL column on which a batch fails when its `update` is of an outdated version. */
const versionConstraint = "subscriptions.version";

const periodInvoiced = () =>
  conflict("The period is being charged for already.", { retryable: true });

/** The refusals of constraints for `commit`. */
export const subscriptionRefusals: ConstraintRefusals = {
  [versionConstraint]: () =>
    conflict("The subscription changed meanwhile; try again.", { retryable: true }),
  "subscription_invoices.cycle": periodInvoiced,
  "subscription_invoices.order_id": periodInvoiced,
  "subscription_invoices.id": periodInvoiced,
};

export const toSubscription = ({ businessId: _, ...subscription }: SubscriptionRow): Subscription =>
  subscription;

const toInvoice = ({ businessId: _, ...invoice }: InvoiceRow): Invoice => invoice;

/** @throws Refusal NOT_FOUND without a row. */
export function toInvoicedSubscription(
  [row]: readonly SubscriptionRow[],
  invoices: readonly InvoiceRow[],
): InvoicedSubscription {
  if (!row) throw notFound("subscription");
  return { subscription: toSubscription(row), invoices: invoices.map(toInvoice) };
}

/** A subscription that a run of the job has claimed. */
export type DueSubscription = Readonly<{ id: string; businessId: string }>;

/** How long a run has for a claimed subscription, including a slow provider. */
const renewalLeaseMs = 5 * minute;

/**
 * Claims a shard's subscriptions that are due, longest overdue first; other runs skip them for the
 * lease.
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
