import { and, asc, eq } from "drizzle-orm";
import { type PersonalData, reading } from "../database/index.ts";
import { supportConversations as t } from "./tables.ts";

/**
 * Which conversations are a customer's. What was said stands in each one's object: an export reads
 * it there, and erasure notes, in its own batch, that the object has to be told (`claimDueErasures`).
 */
export const supportPersonalData: PersonalData<string[]> = {
  read: ({ db, business }, { customerId }) =>
    reading(
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
