import { and, desc, eq, gt, isNull, notInArray, or, type SQL, sql } from "drizzle-orm";
import { type Login, loginEnded, loginRepo, stands } from "../customers/index.ts";
import { type Context, type Db, unfenced, type Write } from "../database/index.ts";
import { conflict, minute, notFound } from "../kernel/index.ts";
import type { Invoice } from "./invoice.ts";
import type { Subscription } from "./subscription.ts";
import { subscriptionInvoices, subscriptions } from "./tables.ts";

type SubscriptionRow = typeof subscriptions.$inferSelect;
type InvoiceRow = typeof subscriptionInvoices.$inferSelect;

/** A subscription with the invoices that were asked for beside it. */
export type InvoicedSubscription = Readonly<{
  subscription: Subscription;
  invoices: readonly Invoice[];
}>;

/** What stands after a subscription in the merchant's list. */
export type SubscriptionCursor = Readonly<{ createdAt: number; id: string }>;

const recentInvoices = 12;
const listedAtMost = 100;

/** Subscriptions of one business; each read is one round trip. */
export function subscriptionRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;
  const t = subscriptions;
  const own = eq(t.businessId, business.id);
  const one = (id: string) =>
    db
      .select()
      .from(t)
      .where(and(own, eq(t.id, id)));
  const newest = (condition: SQL | undefined, limit: number) =>
    db
      .select()
      .from(t)
      .where(and(own, condition))
      .orderBy(desc(t.createdAt), desc(t.id))
      .limit(limit);
  const invoicesOf = (id: string) =>
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
      .limit(recentInvoices);

  return {
    /** With its recent invoices, the newest first. @throws Refusal NOT_FOUND. */
    async get(id: string): Promise<InvoicedSubscription> {
      const [rows, invoices] = await db.batch([one(id), invoicesOf(id)]);
      return recordOf(rows, invoices);
    },

    /** As `get`, for the customer who is logged in. @throws Refusal UNAUTHORIZED once the login has ended, NOT_FOUND for another's. */
    async getOfCustomer(id: string, login: Login): Promise<InvoicedSubscription> {
      const [customers, rows, invoices] = await db.batch([
        loginRepo(ctx).query(login),
        one(id),
        invoicesOf(id),
      ]);
      if (!stands(login, customers)) throw loginEnded();
      return recordOf(
        rows.filter(({ customerId }) => customerId === login.customerId),
        invoices,
      );
    },

    /** The customer's, the newest first. @throws Refusal UNAUTHORIZED once the login has ended. */
    async listOfCustomer(login: Login): Promise<Subscription[]> {
      const [customers, rows] = await db.batch([
        loginRepo(ctx).query(login),
        newest(eq(t.customerId, login.customerId), listedAtMost),
      ]);
      if (!stands(login, customers)) throw loginEnded();
      return rows.map(subscriptionFromRow);
    },

    /** The business's, the newest first; `before` is where the last page ended. */
    async list({
      limit,
      before,
    }: {
      limit: number;
      before: SubscriptionCursor | null;
    }): Promise<Subscription[]> {
      const rest =
        before === null
          ? undefined
          : sql`(${t.createdAt}, ${t.id}) < (${before.createdAt}, ${before.id})`;
      return (await newest(rest, limit)).map(subscriptionFromRow);
    },

    /** The one whose period an order pays for, with that period's invoice; null for any other order. */
    async findOfOrder(orderId: string, id: string): Promise<InvoicedSubscription | null> {
      const [rows, invoices] = await db.batch([
        one(id),
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
      return rows.length > 0 && invoices.length > 0 ? recordOf(rows, invoices) : null;
    },

    /** The statements for a subscription and what of it waits to be paid, for a batch of the caller's. */
    dueQueries: (id: string) =>
      [
        one(id),
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

    /** A query, in brackets, for the order that began a subscription and the one that it waits for. */
    orderIdsOf: (id: string): SQL => sql`(
      select began.order_id from subscriptions as began
        where began.id = ${id} and began.business_id = ${business.id}
      union select waiting.order_id from subscription_invoices as waiting
        where waiting.subscription_id = ${id} and waiting.status = 'open')`,

    insert(begun: readonly Subscription[]): Write {
      const rows = JSON.stringify(begun);
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

    /** Fails its batch on `changedSubscription` when another change came first. */
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
     * The end of what these order lines began, where nothing was paid for since: the job finds it come,
     * and tells of it.
     */
    endBegunBy: (lineIds: readonly string[], now: number): Write =>
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
            stillRuns(now),
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

/** Whether it is not over at that instant (epoch ms), nor has run out (`hasRunOut`). */
export const stillRuns = (now: number): SQL | undefined =>
  and(
    notInArray(subscriptions.status, ["cancelled", "expired"]),
    or(isNull(subscriptions.endsAt), gt(subscriptions.endsAt, now)),
  );

/** What a batch fails on whose `update` was of a version that is no more. */
const changedSubscription = "subscriptions.version";

/** For `commit`: what such a batch is refused with. */
export const subscriptionRefusals = {
  [changedSubscription]: () =>
    conflict("The subscription changed meanwhile; try again.", { retryable: true }),
  "subscription_invoices.": () =>
    conflict("The period is being charged for already.", { retryable: true }),
} as const;

export const subscriptionFromRow = ({
  businessId: _,
  ...subscription
}: SubscriptionRow): Subscription => subscription;

const invoiceFromRow = ({ businessId: _, ...invoice }: InvoiceRow): Invoice => invoice;

/** @throws Refusal NOT_FOUND without a row. */
export function recordOf(
  [row]: readonly SubscriptionRow[],
  invoices: readonly InvoiceRow[],
): InvoicedSubscription {
  if (!row) throw notFound("subscription");
  return { subscription: subscriptionFromRow(row), invoices: invoices.map(invoiceFromRow) };
}

/** One that a run of the job took up. */
export type DueSubscription = Readonly<{ id: string; businessId: string }>;

/** Whoever took one up has so long for it, a slow provider included; then anybody may. */
const leaseMs = 5 * minute;

/** Takes up a shard's subscriptions that are due, the longest overdue first: nobody else gets them for a while. */
export const claimDueSubscriptions = (
  db: Db,
  { now, limit }: { now: number; limit: number },
): Promise<DueSubscription[]> =>
  db
    .update(subscriptions)
    .set({ dueAt: now + leaseMs })
    .where(
      sql`${subscriptions.id} in (select due.id from subscriptions as due
        where due.due_at is not null and due.due_at <= ${now}
          and ${unfenced(sql`due.business_id`)} order by due.due_at limit ${limit})`,
    )
    .returning({ id: subscriptions.id, businessId: subscriptions.businessId });
