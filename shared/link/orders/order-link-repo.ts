import { and, eq, sql } from "drizzle-orm";
import { type ContactType, customerRepo } from "../../customers/index.ts";
import type { Context, Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import {
  type Order,
  orderContactQuery,
  orderDetailsQueries,
  toOrderRecords,
} from "../../orders/index.ts";
import type { OrderIntent } from "./order-intent.ts";
import { linkOrders } from "./tables.ts";

/** An order with its link to a Link account, and the customers who own its contacts. */
export type LinkedOrder = Readonly<{
  order: Order;
  /** The digest of the order's bill_token. */
  billTokenHash: string;
  /** The link to a Link account, or null when the order is not linked. */
  link: Readonly<{ accountId: string; intentId: string }> | null;
  /** The ids of the business's customers who have verified the order's phone and e-mail. */
  contactOwners: Readonly<Record<ContactType, string | null>>;
}>;

/** The links of a business's orders to Link accounts, in the business's shard. */
export function orderLinkRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;
  const contactOwner = (orderId: string, type: ContactType) =>
    customerRepo(ctx).contactOwnerQuery(type, orderContactQuery(ctx, { orderId, type }));

  return {
    /** One round trip. @throws Refusal NOT_FOUND. */
    async get(orderId: string): Promise<LinkedOrder> {
      const [[link], [phoneOwner], [emailOwner], ...rows] = await db.batch([
        db
          .select({ accountId: linkOrders.accountId, intentId: linkOrders.intentId })
          .from(linkOrders)
          .where(and(eq(linkOrders.orderId, orderId), eq(linkOrders.businessId, business.id))),
        contactOwner(orderId, "phone"),
        contactOwner(orderId, "email"),
        ...orderDetailsQueries(ctx, sql`(${orderId})`),
      ]);
      const [record] = toOrderRecords(rows);
      if (!record) throw notFound("order");
      return {
        order: record.details.order,
        billTokenHash: record.billTokenHash,
        link: link ?? null,
        contactOwners: { phone: phoneOwner?.id ?? null, email: emailOwner?.id ?? null },
      };
    },

    /** Violates the unique `link_orders.order_id` when the order is linked already. */
    insert: ({ id, orderId, accountId }: OrderIntent, now: number): Write =>
      db
        .insert(linkOrders)
        .values({ orderId, businessId: business.id, accountId, intentId: id, linkedAt: now }),
  };
}
