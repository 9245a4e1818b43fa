export type { Note, NoteSubject } from "./note.ts";
export { addNote, listNotes } from "./notes.ts";
export { notePersonalData } from "./repo.ts";
