import { z } from "@hono/zod-openapi";
import { keyKinds, scopes } from "../../../shared/businesses/index.ts";
import { text } from "../../wire/fields.ts";

/** What a new key is asked for with, whoever is to own it (business-surface.md, Keys). */
export const NewKey = z.object({
  kind: z.enum(keyKinds),
  scopes: z.array(z.enum(scopes)).max(scopes.length).default([]),
  label: text(200).default(""),
});
