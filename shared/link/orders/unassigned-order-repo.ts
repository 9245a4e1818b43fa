import { eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Contact } from "../../customers/index.ts";
import type { Db } from "../../database/index.ts";
import { minute } from "../../kernel/index.ts";
import { linkContacts, linkUnassignedOrders } from "../tables.ts";
import type { OrderIntent } from "./order-intent.ts";

/** A run has this long to assign an order; then the job takes it up again. */
const retryAfterMs = 5 * minute;

/** A linked order without a customer, and what its account has verified by now. */
export type UnassignedOrder = Readonly<{
  orderId: string;
  businessId: string;
  accountId: string;
  verifiedContacts: readonly Contact[];
}>;

/** Linked orders that wait for a customer, in CORE. */
export function unassignedOrderRepo(db: Db) {
  const hasId = ({ orderId }: Pick<UnassignedOrder, "orderId">) =>
    eq(linkUnassignedOrders.orderId, orderId);

  return {
    /** A statement that inserts the intent's order. */
    insert: ({ orderId, businessId, accountId }: OrderIntent) =>
      db
        .insert(linkUnassignedOrders)
        .values({ orderId, businessId, accountId, dueAt: null })
        .onConflictDoNothing(),

    /** A statement that makes the account's orders due; `accountId` is a query in brackets. */
    makeDue: (accountId: SQL, now: number) =>
      db
        .update(linkUnassignedOrders)
        .set({ dueAt: now })
        .where(
          sql`${linkUnassignedOrders.accountId} = ${accountId} and ${isNull(linkUnassignedOrders.dueAt)}`,
        ),

    /** Claims due orders by postponing them. One round trip. */
    async claimDue({ now, limit }: { now: number; limit: number }): Promise<UnassignedOrder[]> {
      const due = sql`(select due.order_id from ${linkUnassignedOrders} as due where due.due_at <= ${now}
        order by due.due_at, due.order_id limit ${limit})`;
      const accountIds = sql`(select due.account_id from ${linkUnassignedOrders} as due where due.order_id in ${due})`;
      const { accountId, type, value } = linkContacts;
      const [contacts, orders] = await db.batch([
        db
          .select({ accountId, type, value })
          .from(linkContacts)
          .where(sql`${accountId} in ${accountIds} and ${linkContacts.verifiedAt} is not null`),
        db
          .update(linkUnassignedOrders)
          .set({ dueAt: now + retryAfterMs })
          .where(sql`${linkUnassignedOrders.orderId} in ${due}`)
          .returning({
            orderId: linkUnassignedOrders.orderId,
            businessId: linkUnassignedOrders.businessId,
            accountId: linkUnassignedOrders.accountId,
          }),
      ]);
      return orders.map((order) => ({
        ...order,
        verifiedContacts: contacts
          .filter((contact) => contact.accountId === order.accountId)
          .map((contact) => ({ type: contact.type, value: contact.value })),
      }));
    },

    /** The order waits for the next login of its account. */
    async postpone(order: UnassignedOrder): Promise<void> {
      await db.batch([db.update(linkUnassignedOrders).set({ dueAt: null }).where(hasId(order))]);
    },

    async remove(order: UnassignedOrder): Promise<void> {
      await db.batch([db.delete(linkUnassignedOrders).where(hasId(order))]);
    },
  };
}
