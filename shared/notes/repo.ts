import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import {
  batchedRead,
  type Context,
  type DataSubject,
  type PersonalData,
  type Write,
} from "../database/index.ts";
import type { Note } from "./note.ts";
import { notes } from "./tables.ts";

/** The customer or order that notes are about. `idQuery` selects its id, or no row. */
export type NoteSubject = Readonly<{ noun: "customer" | "order"; idQuery: SQL }>;

/** The notes of one business. */
export function noteRepo({ db, business }: Pick<Context, "db" | "business">) {
  return {
    /** Inserts no row when `subjectIdQuery` selects none. `parseInserted` reads the result. */
    insert: (
      { id, text, author, createdAt }: Omit<Note, "subjectId">,
      subjectIdQuery: SQL,
    ): Write =>
      db
        .insert(notes)
        .select(
          sql`select ${id}, ${business.id}, subject.id, ${text}, ${author}, ${createdAt}
            from (${subjectIdQuery}) as subject`,
        )
        .returning(),

    /** The id of the subject of an inserted note. */
    parseInserted(result: unknown): string {
      const [row] = result as readonly Note[]; // safe: what `insert` returns
      if (!row) throw new Error("The note was not inserted.");
      return row.subjectId;
    },

    /** Null when `subjectIdQuery` selects no row. `after` is the last id of the previous page. */
    async list(
      subjectIdQuery: SQL,
      { limit, after }: { limit: number; after: string | null },
    ): Promise<Note[] | null> {
      const [subjects, rows] = await db.batch([
        db.select({ id: sql<string>`subject.id` }).from(sql`(${subjectIdQuery}) as subject`),
        db
          .select()
          .from(notes)
          .where(
            and(
              eq(notes.businessId, business.id),
              eq(notes.subjectId, sql`(${subjectIdQuery})`),
              after === null ? undefined : lt(notes.id, after),
            ),
          )
          .orderBy(desc(notes.id))
          .limit(limit),
      ]);
      return subjects.length === 0 ? null : rows.map(toNote);
    },
  };
}

/** The notes about a customer and the customer's orders. */
export const notePersonalData: PersonalData<Note[]> = {
  read: ({ db, business }, person) =>
    batchedRead(
      [db.select().from(notes).where(isAbout(business, person)).orderBy(desc(notes.id))],
      ([rows]) => rows.map(toNote),
    ),
  erase: ({ db, business }, person) => [db.delete(notes).where(isAbout(business, person))],
};

const isAbout = ({ id }: { id: string }, { customerId, orderIds }: DataSubject) =>
  and(
    eq(notes.businessId, id),
    sql`${notes.subjectId} in (select ${customerId} union all select * from ${orderIds})`,
  );

function toNote({ businessId: _, ...note }: typeof notes.$inferSelect): Note {
  return note;
}
