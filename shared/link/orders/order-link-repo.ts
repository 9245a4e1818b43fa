import { and, eq, sql } from "drizzle-orm";
import { type Contact, type ContactType, contactOwnerRepo } from "../../customers/index.ts";
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
  /**
   * The customers of the business who have verified a contact of the order or of its account, and
   * the unclaimed customers with such a contact.
   */
  contactOwners: readonly ContactOwner[];
}>;

type ContactOwner = Readonly<{ contact: Contact; customerId: string; isUnclaimed: boolean }>;

/** The id of the customer who has verified the contact; null when nobody has. */
export const ownerOf = (owners: readonly ContactOwner[], contact: Contact): string | null =>
  findOwner(owners, contact, { isUnclaimed: false });

/** The id of the unclaimed customer with the contact, or null. */
export const unclaimedCustomerOf = (
  owners: readonly ContactOwner[],
  contact: Contact,
): string | null => findOwner(owners, contact, { isUnclaimed: true });

const findOwner = (
  owners: readonly ContactOwner[],
  { type, value }: Contact,
  { isUnclaimed }: Pick<ContactOwner, "isUnclaimed">,
): string | null =>
  owners.find(
    (owner) =>
      owner.isUnclaimed === isUnclaimed &&
      owner.contact.type === type &&
      owner.contact.value === value,
  )?.customerId ?? null;

/** The links of a business's orders to Link accounts, in the business's shard. */
export function orderLinkRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;
  /** The owners of the order's contact of a type and of other contacts. */
  const ownersQuery = (orderId: string, type: ContactType, others: readonly Contact[]) => {
    const values = others.filter((other) => other.type === type).map(({ value }) => value);
    return contactOwnerRepo(ctx).ownersQuery(
      type,
      sql`(select ${orderContactQuery(ctx, { orderId, type })}
        union select value from json_each(${JSON.stringify(values)}))`,
    );
  };

  return {
    /**
     * One round trip. @throws Refusal NOT_FOUND.
     *
     * @param contacts further contacts whose customers may get the order.
     */
    async get(orderId: string, contacts: readonly Contact[]): Promise<LinkedOrder> {
      const [[link], phoneOwners, emailOwners, ...rows] = await db.batch([
        db
          .select({ accountId: linkOrders.accountId, intentId: linkOrders.intentId })
          .from(linkOrders)
          .where(and(eq(linkOrders.orderId, orderId), eq(linkOrders.businessId, business.id))),
        ownersQuery(orderId, "phone", contacts),
        ownersQuery(orderId, "email", contacts),
        ...orderDetailsQueries(ctx, sql`(${orderId})`),
      ]);
      const [record] = toOrderRecords(rows);
      if (!record) throw notFound("order");
      return {
        order: record.details.order,
        billTokenHash: record.billTokenHash,
        link: link ?? null,
        contactOwners: [...phoneOwners.map(toOwner("phone")), ...emailOwners.map(toOwner("email"))],
      };
    },

    /** Violates the unique `link_orders.order_id` when the order is linked already. */
    insert: ({ id, orderId, accountId }: NewOrderLink, now: number): Write =>
      db
        .insert(linkOrders)
        .values({ orderId, businessId: business.id, accountId, intentId: id, linkedAt: now }),
  };
}

/** `id` tells a repeat from a second request. */
type NewOrderLink = Pick<OrderIntent, "id" | "orderId" | "accountId">;

const toOwner =
  (type: ContactType) =>
  ({ id, value, isUnclaimed }: ContactOwnerRow): ContactOwner => ({
    contact: { type, value: value ?? "" }, // never null: the row was found by its value
    customerId: id,
    isUnclaimed,
  });

type ContactOwnerRow = Readonly<{ id: string; value: string | null; isUnclaimed: boolean }>;
