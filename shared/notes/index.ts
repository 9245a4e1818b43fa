export type { Note } from "./note.ts";
export { addNote, listNotes } from "./notes.ts";
export { type NoteSubject, notePersonalData } from "./repo.ts";
