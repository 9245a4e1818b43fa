import { z } from "@hono/zod-openapi";
import { pageLimit, queryInstant, text } from "./fields.ts";

/** As long as a body may be: how much of it a message may be, its own rule says (BAD_REQUEST). */
const bodyLength = 1024 * 1024;

export const messageContent = () =>
  text(bodyLength).openapi({ description: "1 to 4,000 characters after trimming." });

/** The sender's own name for a message, so that a repeat is known. */
export const clientId = () => text(200).min(1);

export const messageRange = z.object({
  /** Messages after this moment, the earliest first. */
  after: queryInstant().optional(),
  limit: pageLimit(50),
});
