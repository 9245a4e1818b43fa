import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { batchedRead, type Db, type PersonalData } from "../database/index.ts";
import { supportConversations } from "./tables.ts";

/** A query for the ids of a customer's listed conversations, in parentheses. */
export const conversationIdsOfCustomer = (
  { db, business }: Readonly<{ db: Db; business: Readonly<{ id: string }> }>,
  customerId: string,
): SQL =>
  sql`${db
    .select({ id: supportConversations.id })
    .from(supportConversations)
    .where(
      and(
        eq(supportConversations.businessId, business.id),
        eq(supportConversations.customerId, customerId),
      ),
    )}`;

/**
 * The ids of a customer's conversations. The messages are stored in the Durable Object of each
 * conversation. An erasure schedules a call that makes the object erase them (`claimDueErasures`).
 */
export const supportPersonalData: PersonalData<string[]> = {
  read: ({ db, business }, { customerId }) =>
    batchedRead(
      [
        db
          .select({ id: supportConversations.id })
          .from(supportConversations)
          .where(
            and(
              eq(supportConversations.businessId, business.id),
              eq(supportConversations.customerId, customerId),
            ),
          )
          .orderBy(asc(supportConversations.id)),
      ],
      ([rows]) => rows.map(({ id }) => id),
    ),
  erase: ({ db, business, now }, { customerId }) => [
    db
      .update(supportConversations)
      .set({ eraseDueAt: now() })
      .where(
        and(
          eq(supportConversations.businessId, business.id),
          eq(supportConversations.customerId, customerId),
        ),
      ),
  ],
};
