import type { SQL } from "drizzle-orm";

/** A merchant's note about a customer or an order. */
export type Note = Readonly<{
  id: string;
  /** The id of the customer or order. */
  subjectId: string;
  text: string;
  author: string;
  createdAt: number;
}>;

/** The customer or order that notes are about. `idQuery` selects its id, or no row. */
export type NoteSubject = Readonly<{ noun: "customer" | "order"; idQuery: SQL }>;
