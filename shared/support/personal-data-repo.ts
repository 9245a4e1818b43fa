import { and, asc, eq } from "drizzle-orm";
import { batchedRead, type PersonalData } from "../database/index.ts";
import { supportConversations as t } from "./tables.ts";

/**
 * The ids of a customer's conversations. The messages are in each conversation's Durable Object: an
 * export reads them there, and an erasure schedules a call to the object (`claimDueErasures`).
 */
export const supportPersonalData: PersonalData<string[]> = {
  read: ({ db, business }, { customerId }) =>
    batchedRead(
      [
        db
          .select({ id: t.id })
          .from(t)
          .where(and(eq(t.businessId, business.id), eq(t.customerId, customerId)))
          .orderBy(asc(t.id)),
      ],
      ([rows]) => rows.map(({ id }) => id),
    ),
  erase: ({ db, business, now }, { customerId }) => [
    db
      .update(t)
      .set({ eraseDueAt: now() })
      .where(and(eq(t.businessId, business.id), eq(t.customerId, customerId))),
  ],
};
