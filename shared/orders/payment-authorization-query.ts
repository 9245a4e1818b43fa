import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import { type Authorization, paymentRepo } from "../payments/index.ts";
import { type OrderDetails, orderDetailsQueries, toOrderRecords } from "./order-details-query.ts";
import { linkedOrderId } from "./token-proof.ts";

/**
 * An order whose payment the caller wants to authorize. `isClaimed` is false when the payment has
 * no attempts left.
 */
type AuthorizationAttempt = Readonly<{ details: OrderDetails; isClaimed: boolean }>;

/**
 * Who authorizes a payment: a session with the customer logged in on it (null for a guest), or the
 * holder of a token of its order.
 */
export type PaymentCaller =
  | Readonly<{ sessionId: string; customerId: string | null }>
  | Readonly<{ proof: string }>;

/**
 * SQL for the id of a renewal order, as a subquery in parentheses: the order that the payment pays,
 * if it renews a subscription of the customer. Reads the table payments of shared/payments.
 */
const renewalOrderIdQuery = (paymentId: string, customerId: string | null): SQL => sql`(
  select renewal.id from payments as payment
    join orders as renewal on renewal.id = payment.order_id
    join order_lines as line on line.order_id = renewal.id
    where payment.id = ${paymentId} and renewal.customer_id = ${customerId}
      and line.subscription ->> 'type' = 'renewal')`;

/**
 * SQL for the id of the order that the payment pays, as a subquery in parentheses, if the proof
 * opens it. Reads the table payments of shared/payments.
 */
const provenOrderIdQuery = (paymentId: string, proof: string): SQL => sql`(
  select paid.id from payments as payment
    join orders as paid on paid.id = payment.order_id
    where payment.id = ${paymentId}
      and (paid.bill_token_hash = ${proof} or paid.id = ${linkedOrderId(proof)}))`;

/** Which payments the caller may authorize. A customer may authorize renewals from any session. */
const accessOf = (paymentId: string, caller: PaymentCaller) =>
  "proof" in caller
    ? { sessionId: null, orderIds: provenOrderIdQuery(paymentId, caller.proof) }
    : {
        sessionId: caller.sessionId,
        orderIds: renewalOrderIdQuery(paymentId, caller.customerId),
      };

/**
 * Counts an authorization attempt of the type that the payment asks for and reads the order, in
 * one round trip.
 */
export async function claimAuthorizationAttempt(
  ctx: Pick<Context, "db" | "business">,
  { paymentId, type }: Readonly<{ paymentId: string; type: Authorization["type"] }>,
  caller: PaymentCaller,
): Promise<AuthorizationAttempt> {
  const payments = paymentRepo(ctx);
  const access = accessOf(paymentId, caller);
  const ids = payments.orderIdQuery(paymentId, access);
  const [claims, ...rows] = await ctx.db.batch([
    payments.claimAttempt(paymentId, type, access),
    ...orderDetailsQueries(ctx, ids),
  ]);
  const [record] = toOrderRecords(rows);
  if (!record) throw notFound("payment");
  return { details: record.details, isClaimed: claims.length > 0 };
}
