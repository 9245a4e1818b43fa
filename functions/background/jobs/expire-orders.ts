import { Refusal } from "../../../shared/kernel/index.ts";
import {
  cancelUnpaidOrder,
  type ExpiredOrder,
  findExpiredOrders,
  orderRepo,
} from "../../../shared/orders/index.ts";
import { type Background, report } from "../context.ts";

const job = "expire-orders";
const ordersPerRun = 50;

/** Cancels orders that nobody paid within their 30 minutes, and gives their stock back (completions.md 6). */
export async function expireOrders(background: Background, shard: string): Promise<void> {
  const now = background.chance.now();
  const expired = await findExpiredOrders(background.dbOf(shard), { now, limit: ordersPerRun });
  for (const order of expired) await expire(background, order);
}

/** One that fails, or that is paid at this moment, keeps no other from its end; the next run asks again. */
async function expire(
  { orderContext }: Background,
  { id, businessId }: ExpiredOrder,
): Promise<void> {
  try {
    const ctx = await orderContext(businessId, job);
    if (!ctx) return;
    const paid = await orderRepo(ctx).get(id);
    const { expiresAt } = paid.order;
    if (expiresAt === null || expiresAt > ctx.now()) return; // put off since it was listed
    await cancelUnpaidOrder(ctx, paid, "The payment did not arrive in time.");
  } catch (error) {
    if (error instanceof Refusal && isForLater(error)) return;
    report("order not expired", { order: id }, error);
  }
}

/** It changes at this moment, or the provider does not say: the next run asks again. */
const isForLater = ({ code }: Refusal): boolean =>
  code === "CONFLICT" || code === "SERVICE_UNAVAILABLE";
