import { and, asc, eq, lt, or, type SQL, sql } from "drizzle-orm";
import {
  type Context,
  type Db,
  insertRow,
  isRowOfBusiness,
  prepareInsert,
  type RecordReader,
  type Write,
} from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import { maxAuthorizationAttempts, type Payment } from "./payment.ts";
import type { PaymentAttempt } from "./payment-attempt.ts";
import type { AuthorizationType } from "./provider.ts";
import { paymentReferences, payments } from "./tables.ts";

/**
 * Who may authorize a payment: the session that started the payment, or a customer whose orders
 * include the payment's order.
 */
type PaymentAccess = Readonly<{
  /** Null for a caller who proves access to the order itself. */
  sessionId: string | null;
  /** A subquery in parentheses for the ids of the caller's orders. */
  orderIds: SQL;
}>;

type FirstReference = Readonly<{ reference: string; paymentId: string; businessId: string }>;

const insertFirstReference = prepareInsert<FirstReference>(paymentReferences, (db, value) =>
  db
    .insert(paymentReferences)
    .values({
      reference: value("reference"),
      paymentId: value("paymentId"),
      businessId: value("businessId"),
    })
    .onConflictDoNothing(),
);

/** Payments of one business. */
export function paymentRepo({ db, business }: Pick<Context, "db" | "business">) {
  const byId = (id: string) => and(eq(payments.id, id), eq(payments.businessId, business.id));

  const isAccessible = ({ sessionId, orderIds }: PaymentAccess) =>
    or(
      sessionId === null ? undefined : eq(payments.sessionId, sessionId),
      sql`${payments.orderId} in ${orderIds}`,
    );

  return {
    insert: (payment: Payment): Write =>
      insertRow(db, payments, { ...payment, businessId: business.id }),

    /** Stores the payment's first attempt. */
    insertFirstAttempt: ({ id: paymentId, reference }: Pick<Payment, "id" | "reference">): Write =>
      insertFirstReference(db, { reference, paymentId, businessId: business.id }),

    /**
     * Stores a further attempt of the payment; the references of earlier ones stay valid. An attempt
     * that is sent again keeps its row, with the request that sends it.
     */
    insertAttempt: ({ id: paymentId }: Pick<Payment, "id">, attempt: PaymentAttempt): Write => {
      const { leaseUntil, requestKey, declinedAt } = attempt;
      return db
        .insert(paymentReferences)
        .values({ ...attempt, paymentId, businessId: business.id })
        .onConflictDoUpdate({
          target: paymentReferences.reference,
          set: { leaseUntil, requestKey, declinedAt },
        });
    },

    /** Stores the attempt's terms and that no run charges it any more. */
    closeAttempt: ({
      reference,
      requestKey: _,
      leaseUntil: __,
      fx: ___,
      providerReference: ____,
      ...terms
    }: PaymentAttempt) =>
      db
        .update(paymentReferences)
        .set({ ...terms, leaseUntil: null })
        .where(
          and(
            eq(paymentReferences.reference, reference),
            eq(paymentReferences.businessId, business.id),
          ),
        ),

    /** Finds the provider's own id of a charge. @param reference a subquery in parentheses. */
    providerReferenceQuery: (reference: SQL) =>
      db
        .select({ providerReference: paymentReferences.providerReference })
        .from(paymentReferences)
        .where(
          and(
            sql`${paymentReferences.reference} = ${reference}`,
            eq(paymentReferences.businessId, business.id),
          ),
        ),

    /** Stores the provider's own id of a charge, by which the provider finds it again. */
    setProviderReference: (reference: string, providerReference: string): Write =>
      db
        .update(paymentReferences)
        .set({ providerReference })
        .where(
          and(
            eq(paymentReferences.reference, reference),
            eq(paymentReferences.businessId, business.id),
          ),
        ),

    /** Stores the payment, except the failed attempts, which the three functions below change. */
    update: ({ id, orderId: _, failedAttempts: __, createdAt: ___, ...changed }: Payment): Write =>
      db.update(payments).set(changed).where(byId(id)),

    /** Counts an attempt of the type that the payment asks for; returns a row if one was left. */
    claimAttempt: (id: string, type: AuthorizationType, access: PaymentAccess) =>
      db
        .update(payments)
        .set({ failedAttempts: sql`${payments.failedAttempts} + 1` })
        .where(
          and(
            byId(id),
            isAccessible(access),
            eq(payments.status, "requires_action"),
            sql`${payments.nextAction} ->> 'authorizationType' = ${type}`,
            lt(payments.failedAttempts, maxAuthorizationAttempts),
          ),
        )
        .returning({ id: payments.id }),

    /** Takes back the count of an attempt, because its value was right. */
    returnAttempt: (id: string): Write =>
      db
        .update(payments)
        .set({ failedAttempts: sql`max(${payments.failedAttempts} - 1, 0)` })
        .where(byId(id)),

    /** Resets the count of attempts for a new charge. */
    resetAttempts: (id: string): Write =>
      db.update(payments).set({ failedAttempts: 0 }).where(byId(id)),

    /**
     * SQL for the order of a payment, as a subquery in parentheses. Finds no order when the caller
     * may not authorize the payment.
     */
    orderIdQuery: (id: string, access: PaymentAccess): SQL => sql`(
      select ${payments.orderId} from ${payments} where ${and(byId(id), isAccessible(access))})`,
  };
}

/** @param orderIds a subquery for order ids, or a list of ids, in parentheses. */
export const paymentsOfOrders = ({ db, business }: RecordReader, orderIds: SQL) =>
  db
    .select()
    .from(payments)
    .where(
      and(sql`${payments.orderId} in ${orderIds}`, isRowOfBusiness(payments.businessId, business)),
    );

/** The attempts of payments of orders, oldest first. @param orderIds as for `paymentsOfOrders`. */
export const attemptsOfOrders = ({ db, business }: RecordReader, orderIds: SQL) =>
  db
    .select()
    .from(paymentReferences)
    .where(
      and(
        or(
          sql`${paymentReferences.reference} in (
            select paid.reference from payments as paid where paid.order_id in ${orderIds})`,
          sql`(${paymentReferences.method} is not null and ${paymentReferences.paymentId} in (
            select paid.id from payments as paid where paid.order_id in ${orderIds}))`,
        ),
        isRowOfBusiness(paymentReferences.businessId, business),
      ),
    )
    .orderBy(asc(paymentReferences.createdAt), asc(paymentReferences.reference));

/** Stores that payments of several businesses of a shard are cancelled, by one statement. */
export const cancelPayments = (
  db: Db,
  cancelled: readonly Readonly<{ businessId: string; payment: Payment }>[],
): Write => {
  const rows = cancelled.map(({ businessId, payment: { id, version, updatedAt } }) => {
    return { id, businessId, version, updatedAt };
  });
  return db
    .update(payments)
    .set({
      status: "cancelled",
      nextAction: { type: "none" },
      updatedAt: sql`change.value ->> 'updatedAt'`,
      version: sql`change.value ->> 'version'`,
    })
    .from(sql`json_each(${JSON.stringify(rows)}) as change`)
    .where(
      sql`${payments.id} = change.value ->> 'id'
        and +${payments.businessId} = change.value ->> 'businessId'`,
    );
};

export type PaymentRow = typeof payments.$inferSelect;

/** @throws Refusal NOT_FOUND when there is no row. */
export function toPayment(row: PaymentRow | undefined): Payment {
  if (!row) throw notFound("payment");
  const { businessId: _, listedAt: __, ...payment } = row;
  return payment;
}

export type PaymentAttemptRow = typeof paymentReferences.$inferSelect;

/** The attempts of a payment. The only one has the terms of the payment. */
export const toAttempts = (
  rows: readonly PaymentAttemptRow[],
  payment: Payment,
): PaymentAttempt[] =>
  rows.map(({ paymentId: _, businessId: __, ...row }) => ({
    ...row,
    method: row.method ?? payment.method,
    provider: row.provider ?? payment.provider,
    amountMinor: row.amountMinor ?? payment.amountMinor,
    currency: row.currency ?? payment.currency,
    createdAt: row.createdAt ?? payment.createdAt,
  }));

/** The name of a charge's provider. The subquery in parentheses gives the charge's reference. */
export const providerNameQuery = (
  { db, business }: Pick<Context, "db" | "business">,
  reference: SQL,
) =>
  db
    .select({ name: providerName })
    .from(paymentReferences)
    .innerJoin(payments, eq(payments.id, paymentReferences.paymentId))
    .where(
      and(
        eq(paymentReferences.reference, reference),
        eq(paymentReferences.businessId, business.id),
      ),
    );

/** A charge whose attempt stores no provider is the first one of its payment. */
const providerName = sql<string>`coalesce(${paymentReferences.provider}, ${payments.provider})`;

/** A payment found by one of its references, with its order. */
type ReferencedPayment = Readonly<{ businessId: string; orderId: string; provider: string }>;

/**
 * Finds a payment by any of its references, among all businesses of a shard. Provider webhooks need
 * this, because they do not name the business. Returns null for an unknown reference.
 */
export async function findPaymentByReference(
  db: Db,
  reference: string,
): Promise<ReferencedPayment | null> {
  const [payment] = await db
    .select({
      businessId: payments.businessId,
      orderId: payments.orderId,
      provider: providerName,
    })
    .from(paymentReferences)
    .innerJoin(payments, eq(payments.id, paymentReferences.paymentId))
    .where(eq(paymentReferences.reference, reference));
  return payment ?? null;
}
