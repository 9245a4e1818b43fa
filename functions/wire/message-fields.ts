import { z } from "@hono/zod-openapi";
import { pageLimit, queryInstant, text } from "./fields.ts";

/**
 * The size of a whole body. The 4,000 characters of a message are checked by the use case, which
 * answers BAD_REQUEST.
 */
const bodyLength = 1024 * 1024;

export const messageContent = () =>
  text(bodyLength).openapi({ description: "1 to 4,000 characters after trimming." });

/** The sender's id of a message, by which a repeat is recognised. */
export const clientId = () => text(200).min(1);

export const messageRange = z.object({
  /** Messages after this moment, the earliest first. */
  after: queryInstant().optional(),
  limit: pageLimit(50),
});
