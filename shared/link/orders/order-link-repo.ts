import { and, eq, sql } from "drizzle-orm";
import { type ContactType, customerRepo } from "../../customers/index.ts";
import type { Context, Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { contactOfOrder, type Order, paidOrdersOf, recordQueries } from "../../orders/index.ts";
import type { OrderIntent } from "./order-intent.ts";
import { linkOrders } from "./tables.ts";

const t = linkOrders;

/** An order, and whose it is. */
export type LinkedOrder = Readonly<{
  order: Order;
  /** The digest of the bill_token that opens it. */
  billTokenHash: string;
  /** The Link account that it belongs to; null for nobody's. */
  link: Readonly<{ accountId: string; intentId: string }> | null;
  /** The shop's customers who have verified the order's contacts; null for nobody. */
  contactOwners: Readonly<Record<ContactType, string | null>>;
}>;

/** Which of a business's orders belong to Link accounts; in the business's shard. */
export function orderLinkRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;
  const ownerOf = (orderId: string, type: ContactType) =>
    customerRepo(ctx).ownerOf(type, contactOfOrder(ctx, { orderId, type }));

  return {
    /** One round trip. @throws Refusal NOT_FOUND. */
    async get(orderId: string): Promise<LinkedOrder> {
      const [[link], [phoneOwner], [emailOwner], ...rows] = await db.batch([
        db
          .select({ accountId: t.accountId, intentId: t.intentId })
          .from(t)
          .where(and(eq(t.orderId, orderId), eq(t.businessId, business.id))),
        ownerOf(orderId, "phone"),
        ownerOf(orderId, "email"),
        ...recordQueries(ctx, sql`(${orderId})`),
      ]);
      const [found] = paidOrdersOf(rows);
      if (!found) throw notFound("order");
      return {
        order: found.paid.order,
        billTokenHash: found.billTokenHash,
        link: link ?? null,
        contactOwners: { phone: phoneOwner?.id ?? null, email: emailOwner?.id ?? null },
      };
    },

    /** Breaks `link_orders.order_id` for an order that belongs to somebody. */
    insert: ({ id, orderId, accountId }: OrderIntent, now: number): Write =>
      db
        .insert(t)
        .values({ orderId, businessId: business.id, accountId, intentId: id, linkedAt: now }),
  };
}
