import { and, eq, lte, type SQL, sql } from "drizzle-orm";
import { type Context, type Db, unfenced, type Write } from "../../database/index.ts";
import { hour, minute } from "../../kernel/index.ts";
import type { Refund } from "./refund.ts";
import { refunds } from "./tables.ts";

export type RefundRow = typeof refunds.$inferSelect;

/** Refunds of one business. */
export function refundRepo({ db, business }: Pick<Context, "db" | "business">) {
  return {
    /**
     * Claims a part of a settled payment, or the whole of a charge beside its own. Breaks
     * `beyondPayment` when all refunds together would be more than it; where no money was taken, no
     * row is written.
     *
     * @param dueAt when the job takes it up, should whoever wrote it be gone; null for one that is settled.
     */
    insert(refund: Refund, dueAt: number | null): Write {
      const claimed = sql`(select coalesce(sum(earlier.amount_minor), 0) from refunds as earlier
        where earlier.payment_id = payments.id and earlier.status <> 'failed'
          and earlier.reference is ${refund.reference})`;
      const taken = refund.reference === null ? sql`payments.amount_minor` : refund.amountMinor;
      return db.insert(refunds).select(
        sql`select ${refund.id}, ${business.id}, ${refund.orderId}, payments.id, ${refund.reference},
            ${refund.amountMinor}, ${refund.amountMinor} + ${claimed}, ${taken}, ${refund.currency},
            ${refund.status}, ${refund.reason}, ${refund.isRestocked ? 1 : 0}, ${refund.failureReason},
            ${refund.requestKey}, ${refund.createdAt}, ${refund.updatedAt}, ${refund.settledAt},
            ${dueAt}, 0
          from payments where payments.id = ${refund.paymentId}
            and payments.business_id = ${business.id} and payments.settled_at is not null`,
      );
    },

    /** The provider's word on a pending one; there is none after it. */
    settle: ({ id, status, failureReason, updatedAt, settledAt }: Refund): Write =>
      db
        .update(refunds)
        .set({ status, failureReason, updatedAt, settledAt, dueAt: null })
        .where(
          and(
            eq(refunds.id, id),
            eq(refunds.businessId, business.id),
            eq(refunds.status, "pending"),
          ),
        ),

    /** What the provider said no with; it is asked again, and so the refund stays pending. */
    noteRefusal: (id: string, failureReason: string): Write =>
      db
        .update(refunds)
        .set({ failureReason })
        .where(
          and(
            eq(refunds.id, id),
            eq(refunds.businessId, business.id),
            eq(refunds.status, "pending"),
          ),
        ),

    /** Takes the key from a refund that was asked for so long ago that a repeat is not known any more. */
    freeKey: ({ orderId, requestKey, before }: OldKey): Write =>
      db
        .update(refunds)
        .set({ requestKey: null })
        .where(
          and(
            eq(refunds.orderId, orderId),
            eq(refunds.businessId, business.id),
            eq(refunds.requestKey, requestKey),
            lte(refunds.createdAt, before),
          ),
        ),

    /** @param orderIds a query, or a list in brackets. */
    ofOrders: (orderIds: SQL) =>
      db
        .select()
        .from(refunds)
        .where(and(sql`${refunds.orderId} in ${orderIds}`, eq(refunds.businessId, business.id)))
        .orderBy(refunds.createdAt, refunds.id),
  };
}

export type OldKey = Readonly<{ orderId: string; requestKey: string; before: number }>;

export function refundFromRow(row: RefundRow): Refund {
  const {
    businessId: _,
    claimedMinor: __,
    paidMinor: ___,
    dueAt: ____,
    attempts: _____,
    ...refund
  } = row;
  return refund;
}

/** The constraint that a refund breaks which, with the earlier ones, is more than the payment. */
export const beyondPayment = "refunds_within_payment";

/** A run of the job has so long for what it took up; then it grows with every attempt. */
const firstRetryMs = 5 * minute;
const longestRetryMs = 6 * hour;

/** attempts: how often the job has taken it up, this time included. */
export type DueRefund = Readonly<{
  id: string;
  orderId: string;
  businessId: string;
  attempts: number;
}>;

/** Takes up a shard's refunds that wait for the provider's word: nobody else gets them until their next time. */
export const claimDueRefunds = (
  db: Db,
  { now, limit }: { now: number; limit: number },
): Promise<DueRefund[]> =>
  db
    .update(refunds)
    .set({
      attempts: sql`${refunds.attempts} + 1`,
      dueAt: sql`${now} + min(${longestRetryMs}, ${firstRetryMs} << min(${refunds.attempts}, 10))`,
    })
    .where(
      sql`${refunds.id} in (select due.id from refunds as due where due.due_at <= ${now}
          and ${unfenced(sql`due.business_id`)}
        order by due.due_at limit ${limit})`,
    )
    .returning({
      id: refunds.id,
      orderId: refunds.orderId,
      businessId: refunds.businessId,
      attempts: refunds.attempts,
    });
