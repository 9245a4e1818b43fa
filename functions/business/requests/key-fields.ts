import { z } from "@hono/zod-openapi";
import { keyKinds, scopes } from "../../../shared/businesses/index.ts";
import { text } from "../../wire/fields.ts";

/** The fields of a new key of a business or an organization. */
export const NewKeyFields = z.object({
  kind: z.enum(keyKinds),
  scopes: z.array(z.enum(scopes)).max(scopes.length).default([]),
  label: text(200).default(""),
});
