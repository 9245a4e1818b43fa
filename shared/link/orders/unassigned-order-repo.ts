import { eq, isNull, sql } from "drizzle-orm";
import type { Contact } from "../../customers/index.ts";
import type { Db, DueRows, Write } from "../../database/index.ts";
import { minute } from "../../kernel/index.ts";
import { type ContactInMode, phonesFirst } from "../contacts/contact.ts";
import { linkAccounts, linkContacts, linkUnassignedOrders } from "../tables.ts";

/** A run has this long to assign an order; then the job takes it up again. */
const retryAfterMs = 5 * minute;

/** The orders that `unassignedOrderRepo.claimDue` claims. */
export const dueUnassignedOrders: DueRows = {
  table: linkUnassignedOrders,
  since: linkUnassignedOrders.dueAt,
  businessId: null,
};

/** An order that was enrolled without a session, and what is known about its account by now. */
export type UnassignedOrder = Readonly<{
  orderId: string;
  businessId: string;
  /** The account that has verified the order's contact; null while there is none. */
  accountId: string | null;
  verifiedContacts: readonly Contact[];
  /** The account's verified contacts; none when its owner wants no notices. */
  notifiedContacts: readonly Contact[];
}>;

const table = linkUnassignedOrders;

/** Deletes the waiting orders of a business, before the business itself. */
export const deleteUnassignedOrders = (db: Db, businessId: string): Write =>
  db.delete(table).where(eq(table.businessId, businessId));

/** SQL for the account of a row named `due`. */
const accountOfDue = sql`coalesce(due.account_id, (select of_contact.account_id
  from ${linkContacts} as of_contact where of_contact.mode = due.mode
    and of_contact.type = due.contact_type and of_contact.value = due.contact_value
    and of_contact.verified_at is not null))`;

/** Orders that wait for a customer, in CORE. */
export function unassignedOrderRepo(db: Db) {
  const hasId = ({ orderId }: Pick<UnassignedOrder, "orderId">) => eq(table.orderId, orderId);

  return {
    /**
     * A statement that inserts the order. It is due, also when it is waiting already, if somebody has
     * verified its contact at the shop or at Link.
     */
    insert: ({ contact, mode, isOwned, ...order }: NewUnassignedOrder): Write => {
      const { type, value } = contact;
      const dueAt = sql`case when ${isOwned ? 1 : 0} or exists (select 1 from ${linkContacts} as own
        where own.mode = ${mode} and own.type = ${type} and own.value = ${value}
          and own.verified_at is not null) then ${order.now} end`;
      return db
        .insert(table)
        .values({
          ...{ orderId: order.orderId, businessId: order.business.id, mode },
          ...{ contactType: type, contactValue: value, dueAt },
        })
        .onConflictDoUpdate({
          target: table.orderId,
          set: { dueAt: sql`coalesce(excluded.due_at, ${table.dueAt})` },
        });
    },

    /** A statement that makes the orders of a contact due, and those of its account. */
    makeDue: ({ contact, mode }: ContactInMode, now: number) => {
      const { type, value } = contact;
      const accountId = sql`(select account_id from ${linkContacts}
        where mode = ${mode} and type = ${type} and value = ${value})`;
      return db
        .update(table)
        .set({ dueAt: now })
        .where(
          sql`(${table.accountId} = ${accountId} or (${table.mode} = ${mode}
            and ${table.contactType} = ${type} and ${table.contactValue} = ${value}))
            and ${isNull(table.dueAt)}`,
        );
    },

    /** Claims due orders by postponing them. One round trip. */
    async claimDue({ now, limit }: { now: number; limit: number }): Promise<UnassignedOrder[]> {
      const due = sql`(select due.order_id from ${table} as due where due.due_at <= ${now}
        order by due.due_at, due.order_id limit ${limit})`;
      const { accountId, type, value } = linkContacts;
      const [contacts, accounts, orders] = await db.batch([
        db
          .select({ accountId, type, value, wantsNotices: linkAccounts.notifyOnOrder })
          .from(linkContacts)
          .innerJoin(linkAccounts, eq(linkAccounts.id, accountId))
          .where(
            sql`${accountId} in (select ${accountOfDue} from ${table} as due where due.order_id in ${due})
              and ${linkContacts.verifiedAt} is not null`,
          ),
        db
          .select({
            orderId: sql<string>`due.order_id`,
            accountId: sql<string | null>`${accountOfDue}`,
          })
          .from(sql`${table} as due`)
          .where(sql`due.order_id in ${due}`),
        db
          .update(table)
          .set({ dueAt: now + retryAfterMs })
          .where(sql`${table.orderId} in ${due}`)
          .returning({ orderId: table.orderId, businessId: table.businessId }),
      ]);
      const accountIds = new Map(accounts.map((row) => [row.orderId, row.accountId]));
      return orders.map((order) => {
        const accountId = accountIds.get(order.orderId) ?? null;
        const own = contacts.filter((contact) => contact.accountId === accountId);
        return {
          ...order,
          accountId,
          verifiedContacts: own.map(toContact),
          notifiedContacts: phonesFirst(
            own.filter(({ wantsNotices }) => wantsNotices).map(toContact),
          ),
        };
      });
    },

    /** The order waits for the next login of its contact. */
    async postpone(order: UnassignedOrder): Promise<void> {
      await db.batch([db.update(table).set({ dueAt: null }).where(hasId(order))]);
    },

    async remove(order: UnassignedOrder): Promise<void> {
      await db.batch([db.delete(table).where(hasId(order))]);
    },
  };
}

/** An order to insert, with the contact that decides whose it is. */
type NewUnassignedOrder = ContactInMode &
  Readonly<{
    orderId: string;
    business: Readonly<{ id: string }>;
    /** Whether a customer of the shop has verified the contact. */
    isOwned: boolean;
    now: number;
  }>;

const toContact = ({ type, value }: Contact): Contact => ({ type, value });
