import { z } from "@hono/zod-openapi";
import { id } from "../../wire/fields.ts";

const maxIds = 100;

/** The ids of the records that a bulk call changes. One that is sent twice counts once. */
export const bulkIds = () =>
  z
    .array(id())
    .min(1)
    .max(maxIds)
    .transform((ids) => [...new Set(ids)]);
