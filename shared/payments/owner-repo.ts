import { eq } from "drizzle-orm";
import type { Db } from "../database/index.ts";
import { paymentReferences, payments } from "./tables.ts";

/** Whose order a payment is. */
export type PaymentOwner = Readonly<{ businessId: string; orderId: string; provider: string }>;

/**
 * The owner of a reference among all businesses of a shard: how a provider's notice, which names
 * nothing else, comes to its business. Null where no payment of the shard ever had it.
 */
export async function findPaymentOwner(db: Db, reference: string): Promise<PaymentOwner | null> {
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
