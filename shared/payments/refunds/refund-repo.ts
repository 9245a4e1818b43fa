import { and, eq, inArray, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import {
  type Context,
  type Db,
  type DueRows,
  isRowOfBusiness,
  isUnfenced,
  type RecordReader,
  type Write,
} from "../../database/index.ts";
import { firstRefundRetryMs, maxRefundRetryMs, type Refund } from "./refund.ts";
import { refunds } from "./tables.ts";

export type RefundRow = typeof refunds.$inferSelect;

/** Refunds of one business. */
export function refundRepo({ db, business }: Pick<Context, "db" | "business">) {
  return {
    /**
     * Inserts a refund of a settled payment; inserts nothing while the payment is not settled. The
     * batch fails on `refundLimitConstraint` when all refunds together exceed the payment.
     *
     * @param dueAt when the refund job takes over; null for a settled refund.
     */
    insert(refund: Refund, dueAt: number | null): Write {
      const claimedMinor = sql`(select coalesce(sum(earlier.amount_minor), 0) from refunds as earlier
        where earlier.payment_id = payments.id and earlier.status <> 'failed'
          and earlier.reference is ${refund.reference})`;
      const paidMinor = refund.reference === null ? sql`payments.amount_minor` : refund.amountMinor;
      return db.insert(refunds).select(
        sql`select ${refund.id}, ${business.id}, ${refund.orderId}, payments.id, ${refund.reference},
            ${refund.amountMinor}, ${refund.amountMinor} + ${claimedMinor}, ${paidMinor}, ${refund.currency},
            ${refund.status}, ${refund.reason}, ${refund.isRestocked ? 1 : 0}, ${refund.failureReason},
            ${refund.requestKey}, ${refund.createdAt}, ${refund.updatedAt}, ${refund.settledAt},
            ${dueAt}, 0, ${refund.taxMinor}
          from payments where payments.id = ${refund.paymentId}
            and payments.business_id = ${business.id} and payments.settled_at is not null`,
      );
    },

    /** Stores the final result of a pending or due refund. */
    settle: ({ id, status, failureReason, updatedAt, settledAt }: Refund): Write =>
      db
        .update(refunds)
        .set({ status, failureReason, updatedAt, settledAt, dueAt: null })
        .where(
          and(
            eq(refunds.id, id),
            eq(refunds.businessId, business.id),
            inArray(refunds.status, ["pending", "refund_due"]),
          ),
        ),

    /** Stores why the provider refused the refund. The refund stays pending and is retried. */
    recordRefusal: (id: string, failureReason: string): Write =>
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

    /** Clears an expired Idempotency-Key, so that a new refund can store the same key. */
    clearRequestKey: ({ orderId, requestKey, before }: ExpiredRequestKey): Write =>
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
  };
}

/** How many refunds an account of a business still has to pay out. */
export async function countPendingRefunds(
  { db, business }: Pick<Context, "db" | "business">,
  providerName: string,
): Promise<number> {
  // Reads the payment's provider, or that of the second charge that is returned.
  const provider = sql`(select coalesce(attempt.provider, payment.provider)
    from payments as payment left join payment_references as attempt
      on attempt.reference = coalesce(${refunds.reference}, payment.reference)
    where payment.id = ${refunds.paymentId})`;
  const [row] = await db
    .select({ pending: sql<number>`count(*)` })
    .from(refunds)
    .where(
      and(
        isNotNull(refunds.dueAt),
        eq(refunds.businessId, business.id),
        eq(refunds.status, "pending"),
        sql`${provider} = ${providerName}`,
      ),
    );
  return row?.pending ?? 0;
}

/** @param orderIds a subquery for order ids, or a list of ids, in parentheses. */
export const refundsOfOrders = ({ db, business }: RecordReader, orderIds: SQL) =>
  db
    .select()
    .from(refunds)
    .where(
      and(sql`${refunds.orderId} in ${orderIds}`, isRowOfBusiness(refunds.businessId, business)),
    )
    .orderBy(refunds.createdAt, refunds.id);

type ExpiredRequestKey = Readonly<{ orderId: string; requestKey: string; before: number }>;

/** The refund of a stored row; its tax is null when it was not stored. */
export function toRefund(
  row: RefundRow,
): Omit<Refund, "taxMinor"> & Readonly<{ taxMinor: number | null }> {
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

/** The name of the CHECK that fails when a payment's refunds together exceed the payment. */
export const refundLimitConstraint = "refunds_within_payment";

/** A refund that the job has claimed. `attempts` counts its claims, including this one. */
export type DueRefund = Readonly<{
  id: string;
  orderId: string;
  businessId: string;
  attempts: number;
}>;

/** The refunds that `claimDueRefunds` claims. */
export const dueRefunds: DueRows = {
  table: refunds,
  since: refunds.dueAt,
  businessId: refunds.businessId,
};

/**
 * Claims the due pending refunds of a shard. Each refund's next attempt is postponed, so that other
 * runs skip it.
 */
export const claimDueRefunds = (
  db: Db,
  { now, limit }: { now: number; limit: number },
): Promise<DueRefund[]> =>
  db
    .update(refunds)
    .set({
      attempts: sql`${refunds.attempts} + 1`,
      dueAt: sql`${now} + min(${maxRefundRetryMs}, ${firstRefundRetryMs} << min(${refunds.attempts}, 10))`,
    })
    .where(
      sql`${refunds.id} in (select due.id from refunds as due where due.due_at <= ${now}
          and ${isUnfenced(sql`due.business_id`)}
        order by due.due_at limit ${limit})`,
    )
    .returning({
      id: refunds.id,
      orderId: refunds.orderId,
      businessId: refunds.businessId,
      attempts: refunds.attempts,
    });
