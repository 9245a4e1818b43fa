import { and, eq, sql } from "drizzle-orm";
import { customerRepo } from "../../customers/index.ts";
import type { Context, Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { type Order, paidOrdersOf, recordQueries } from "../../orders/index.ts";
import type { OrderIntent } from "./order-intent.ts";
import { linkOrders } from "./tables.ts";

const t = linkOrders;

/** An order, and whose it is. */
export type LinkedOrder = Readonly<{
  order: Order;
  /** The Link account that it belongs to; null for nobody's. */
  link: Readonly<{ accountId: string; intentId: string }> | null;
  /** The shop's customer who has verified the intent's contact; null for nobody. */
  contactOwnerId: string | null;
}>;

/** A contact that no customer has. */
const nobodys = { type: "phone", value: "" } as const;

/** Which of a business's orders belong to Link accounts; in the business's shard. */
export function orderLinkRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;
  return {
    /** For an intent, in one round trip. @throws Refusal NOT_FOUND. */
    async get({ orderId, contact }: OrderIntent): Promise<LinkedOrder> {
      const [[link], [owner], ...rows] = await db.batch([
        db
          .select({ accountId: t.accountId, intentId: t.intentId })
          .from(t)
          .where(and(eq(t.orderId, orderId), eq(t.businessId, business.id))),
        customerRepo(ctx).ownerOf(contact ?? nobodys),
        ...recordQueries(ctx, sql`(${orderId})`),
      ]);
      const [found] = paidOrdersOf(rows);
      if (!found) throw notFound("order");
      return { order: found.paid.order, link: link ?? null, contactOwnerId: owner?.id ?? null };
    },

    /** Breaks `link_orders.order_id` for an order that belongs to somebody. */
    insert: ({ id, orderId, accountId }: OrderIntent, now: number): Write =>
      db
        .insert(t)
        .values({ orderId, businessId: business.id, accountId, intentId: id, linkedAt: now }),
  };
}
