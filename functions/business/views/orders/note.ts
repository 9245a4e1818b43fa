import { z } from "@hono/zod-openapi";
import { iso } from "../../../../shared/kernel/index.ts";
import type { Note } from "../../../../shared/notes/index.ts";

export const NoteView = z
  .object({
    id: z.string(),
    text: z.string(),
    author: z.string().openapi({ description: "The id of the key that wrote the note." }),
    created_at: z.string(),
  })
  .openapi("Note");

export const viewNote = ({ id, text, author, createdAt }: Note): z.infer<typeof NoteView> => ({
  id,
  text,
  author,
  created_at: iso(createdAt),
});
