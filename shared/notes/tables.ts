import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "../database/columns.ts";

/** The merchant's notes about customers and orders. Shoppers never see them. */
export const notes = sqliteTable(
  "notes",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    /** The id of the customer or order. */
    subjectId: text("subject_id").notNull(),
    text: text("text").notNull(),
    /** Who wrote the note, as in the audit trail. */
    author: text("author").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [index("notes_of_subject").on(t.businessId, t.subjectId, t.id)],
);
