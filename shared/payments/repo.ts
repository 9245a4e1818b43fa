import { and, eq, lt, or, type SQL, sql } from "drizzle-orm";
import type { Context, Db, Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import { maxAuthorizationAttempts, type Payment } from "./payment.ts";
import { paymentReferences, payments } from "./tables.ts";

/** Who may authorize a payment: the session that started it, or the customer of these orders. */
type PaymentAccess = Readonly<{
  sessionId: string;
  /** A query in parentheses for the ids of the customer's orders. */
  orderIds: SQL;
}>;

/** Payments of one business. */
export function paymentRepo({ db, business }: Pick<Context, "db" | "business">) {
  const byId = (id: string) => and(eq(payments.id, id), eq(payments.businessId, business.id));

  const isAccessible = ({ sessionId, orderIds }: PaymentAccess) =>
    or(eq(payments.sessionId, sessionId), sql`${payments.orderId} in ${orderIds}`);

  return {
    insert: (payment: Payment): Write =>
      db.insert(payments).values({ ...payment, businessId: business.id }),

    /** Stores a further reference of the payment; earlier ones stay valid for lookups. */
    insertReference: ({ id: paymentId, reference }: Pick<Payment, "id" | "reference">): Write =>
      db
        .insert(paymentReferences)
        .values({ reference, paymentId, businessId: business.id })
        .onConflictDoNothing(),

    /** Does not change the failed attempts; the three functions below do. */
    update: ({
      id,
      reference,
      status,
      nextAction,
      settledAt,
      receipt,
      mismatch,
      updatedAt,
      version,
    }: Payment): Write =>
      db
        .update(payments)
        .set({ reference, status, nextAction, settledAt, receipt, mismatch, updatedAt, version })
        .where(byId(id)),

    /** Counts an authorization attempt; returns a row if one was left. */
    claimAttempt: (id: string, access: PaymentAccess) =>
      db
        .update(payments)
        .set({ failedAttempts: sql`${payments.failedAttempts} + 1` })
        .where(
          and(
            byId(id),
            isAccessible(access),
            eq(payments.status, "requires_action"),
            lt(payments.failedAttempts, maxAuthorizationAttempts),
          ),
        )
        .returning({ id: payments.id }),

    /** Undoes the count of an attempt whose value was right. */
    returnAttempt: (id: string): Write =>
      db
        .update(payments)
        .set({ failedAttempts: sql`max(${payments.failedAttempts} - 1, 0)` })
        .where(byId(id)),

    /** A new charge starts with all attempts. */
    resetAttempts: (id: string): Write =>
      db.update(payments).set({ failedAttempts: 0 }).where(byId(id)),

    /** @param orderIds a subquery or a list, in parentheses. */
    ofOrders: (orderIds: SQL) =>
      db
        .select()
        .from(payments)
        .where(and(sql`${payments.orderId} in ${orderIds}`, eq(payments.businessId, business.id))),

    /** A query for the order of a payment that the caller may authorize. */
    orderIdQuery: (id: string, access: PaymentAccess): SQL => sql`(
      select ${payments.orderId} from ${payments} where ${and(byId(id), isAccessible(access))})`,
  };
}

export type PaymentRow = typeof payments.$inferSelect;

/** @throws Refusal NOT_FOUND without a row. */
export function toPayment(row: PaymentRow | undefined): Payment {
  if (!row) throw notFound("payment");
  const { businessId: _, ...payment } = row;
  return payment;
}

/** The order that a payment belongs to. */
type ReferencedPayment = Readonly<{ businessId: string; orderId: string; provider: string }>;

/**
 * Finds the payment of a reference among all businesses of a shard, for provider webhooks; null
 * when no payment ever had it.
 */
export async function findPaymentByReference(
  db: Db,
  reference: string,
): Promise<ReferencedPayment | null> {
  const [owner] = await db
    .select({
      businessId: payments.businessId,
      orderId: payments.orderId,
      provider: payments.provider,
    })
    .from(paymentReferences)
    .innerJoin(payments, eq(payments.id, paymentReferences.paymentId))
    .where(eq(paymentReferences.reference, reference));
  return owner ?? null;
}
