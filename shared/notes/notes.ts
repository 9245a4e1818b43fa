import { actorName, type Context, commit } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { Note } from "./note.ts";
import { type NoteSubject, noteRepo } from "./repo.ts";

/**
 * Adds a note. The insert selects the subject itself, so that no note remains of a customer whose
 * data is erased at the same time.
 *
 * @throws Refusal NOT_FOUND when the subject does not exist.
 */
export async function addNote(
  ctx: Context,
  { noun, idQuery }: NoteSubject,
  text: string,
): Promise<Note> {
  const note = {
    id: ctx.newId("note"),
    text,
    author: actorName(ctx.actor),
    createdAt: ctx.now(),
  };
  const repo = noteRepo(ctx);
  const [inserted] = await commit(ctx, {
    writes: [repo.insert(note, idQuery)],
    audit: [{ action: `${noun}.note_added`, entity: idQuery }],
    refusals: { "audit_entries.entity": () => notFound(noun) },
  });
  return { ...note, subjectId: repo.parseInserted(inserted) };
}

/**
 * Lists the notes of a subject, newest first, in one round trip.
 *
 * @throws Refusal NOT_FOUND when the subject does not exist.
 */
export async function listNotes(
  ctx: Pick<Context, "db" | "business">,
  { noun, idQuery }: NoteSubject,
  page: { limit: number; after: string | null },
): Promise<Note[]> {
  const notes = await noteRepo(ctx).list(idQuery, page);
  if (notes === null) throw notFound(noun);
  return notes;
}
