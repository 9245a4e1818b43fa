import { and, asc, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { type Db, isUnfenced } from "../database/index.ts";
import type { PaymentStatus } from "./payment.ts";
import type { RefundStatus } from "./refunds/refund.ts";
import { refunds } from "./refunds/tables.ts";
import { paymentReferences, payments } from "./tables.ts";

// Reads money records of all businesses of a shard: the deployment's account does not name the business.

/** The account that took charges: its provider's name as payments store it, and its business if it has one. */
type ChargedAccount = Readonly<{ provider: string; businessId: string | null }>;

/** What a shard knows of a charge that a provider listed. */
export type KnownCharge = Readonly<{
  reference: string;
  businessId: string;
  orderId: string;
  /** The status of the payment, whose current charge may be another one. */
  status: PaymentStatus;
  isCurrent: boolean;
  amountMinor: number;
  currency: string;
  /** Whether its amount or currency is already recorded as another one than requested. */
  isMismatched: boolean;
  /** Whether it is returned in full because the payment was captured under another reference. */
  isDuplicateRefunded: boolean;
  /** Whether anything of the payment was refunded, or is about to be. */
  hasRefunds: boolean;
}>;

const listOf = (values: readonly string[]): SQL =>
  sql`(select value from json_each(${JSON.stringify(values)}))`;

/** The charges of an account. One of another account with the same reference is unknown to it. */
export async function findKnownCharges(
  db: Db,
  { provider, businessId }: ChargedAccount,
  references: readonly string[],
): Promise<KnownCharge[]> {
  const { reference } = paymentReferences;
  const rows = await db
    .select({
      reference,
      businessId: payments.businessId,
      orderId: payments.orderId,
      status: payments.status,
      currentReference: payments.reference,
      amountMinor: sql<number>`coalesce(${paymentReferences.amountMinor}, ${payments.amountMinor})`,
      currency: sql<string>`coalesce(${paymentReferences.currency}, ${payments.currency})`,
      mismatch: payments.mismatch,
      duplicateRefunds: sql<number>`(select count(*) from refunds as back
        where back.reference = ${reference})`,
      refunds: sql<number>`(select count(*) from refunds as part
        where part.payment_id = ${payments.id} and part.status <> 'failed')`,
    })
    .from(paymentReferences)
    .innerJoin(payments, eq(payments.id, paymentReferences.paymentId))
    .where(
      and(
        sql`${reference} in ${listOf(references)}`,
        sql`coalesce(${paymentReferences.provider}, ${payments.provider}) = ${provider}`,
        businessId === null ? undefined : eq(payments.businessId, businessId),
      ),
    );
  return rows.map(({ currentReference, mismatch, duplicateRefunds, refunds, ...charge }) => ({
    ...charge,
    isCurrent: currentReference === charge.reference,
    isMismatched: mismatch?.reference === charge.reference,
    isDuplicateRefunded: duplicateRefunds > 0,
    hasRefunds: refunds > 0,
  }));
}

/** Records which settled charges the provider has listed, except of businesses that are moving. */
export async function markListed(
  db: Db,
  references: readonly string[],
  now: number,
): Promise<void> {
  if (references.length === 0) return;
  await db
    .update(payments)
    .set({ listedAt: now })
    .where(
      and(
        sql`${payments.reference} in ${listOf(references)}`,
        isNotNull(payments.settledAt),
        isNull(payments.listedAt),
        isUnfenced(sql`${payments.businessId}`),
      ),
    );
}

type SettledQuery = ChargedAccount &
  Readonly<{
    from: number;
    to: number;
    after: Readonly<{ settledAt: number; id: string }> | null;
    limit: number;
  }>;

/** The captured charges of a time that the provider has not listed, oldest first. */
export const listUnlistedCharges = (
  db: Db,
  { provider, businessId, from, to, after, limit }: SettledQuery,
): Promise<{ id: string; reference: string; settledAt: number }[]> =>
  db
    .select({
      id: payments.id,
      reference: payments.reference,
      settledAt: sql<number>`${payments.settledAt}`,
    })
    .from(payments)
    .where(
      and(
        eq(payments.provider, provider),
        businessId === null ? undefined : eq(payments.businessId, businessId),
        isNotNull(payments.settledAt),
        isNull(payments.listedAt),
        isNull(payments.receipt),
        isNull(payments.mismatch),
        sql`${payments.settledAt} >= ${from} and ${payments.settledAt} < ${to}`,
        after === null
          ? undefined
          : sql`(${payments.settledAt}, ${payments.id}) > (${after.settledAt}, ${after.id})`,
      ),
    )
    .orderBy(asc(payments.settledAt), asc(payments.id))
    .limit(limit);

/** What a shard knows of a refund that a provider listed. */
export type KnownRefund = Readonly<{
  id: string;
  businessId: string;
  orderId: string;
  status: RefundStatus;
  amountMinor: number;
  currency: string;
}>;

export const findKnownRefunds = (
  db: Db,
  { businessId }: Pick<ChargedAccount, "businessId">,
  ids: readonly string[],
): Promise<KnownRefund[]> =>
  db
    .select({
      id: refunds.id,
      businessId: refunds.businessId,
      orderId: refunds.orderId,
      status: refunds.status,
      amountMinor: refunds.amountMinor,
      currency: refunds.currency,
    })
    .from(refunds)
    .where(
      and(
        sql`${refunds.id} in ${listOf(ids)}`,
        businessId === null ? undefined : eq(refunds.businessId, businessId),
      ),
    );

/** Lets the refund job ask the provider now about pending refunds, which it may have paid out. */
export async function hastenRefunds(db: Db, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await db
    .update(refunds)
    .set({ dueAt: now })
    .where(
      and(
        sql`${refunds.id} in ${listOf(ids)}`,
        eq(refunds.status, "pending"),
        isUnfenced(sql`${refunds.businessId}`),
      ),
    );
}

/** A refund that a provider has paid out according to our records. */
export type SettledRefund = KnownRefund & Readonly<{ reference: string; settledAt: number }>;

/** The refunds of a provider's charges that were settled in a time, oldest first. */
export async function listSettledRefunds(
  db: Db,
  { provider, businessId, from, to, after, limit }: SettledQuery,
): Promise<SettledRefund[]> {
  const { settledAt, id } = refunds;
  const reference = sql<string>`coalesce(${refunds.reference}, ${payments.reference})`;
  const rows = await db
    .select({
      id,
      businessId: refunds.businessId,
      orderId: refunds.orderId,
      status: refunds.status,
      amountMinor: refunds.amountMinor,
      currency: refunds.currency,
      reference,
      settledAt: sql<number>`${settledAt}`,
    })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(
      and(
        isNotNull(settledAt),
        eq(refunds.status, "refunded"),
        businessId === null ? undefined : eq(refunds.businessId, businessId),
        sql`${settledAt} >= ${from} and ${settledAt} < ${to}`,
        after === null ? undefined : sql`(${settledAt}, ${id}) > (${after.settledAt}, ${after.id})`,
        // A duplicate charge may have gone through another provider than the payment.
        sql`coalesce((select attempt.provider from payment_references as attempt
          where attempt.reference = ${reference}), ${payments.provider}) = ${provider}`,
      ),
    )
    .orderBy(asc(settledAt), asc(id))
    .limit(limit);
  return rows;
}
