import { z } from "@hono/zod-openapi";
import { pageLimit, queryInstant, text } from "./fields.ts";

/**
 * The maximum size of a whole body. The use case checks the limit of 4,000 characters per message,
 * because its refusal has the code BAD_REQUEST.
 */
const bodyLength = 1024 * 1024;

export const messageContent = () =>
  text(bodyLength).openapi({ description: "1 to 4,000 characters after trimming." });

/** The id that the sender gave to a message. Identifies a message that is sent again. */
export const clientId = () => text(200).min(1);

export const messageRange = z.object({
  /** Only messages after this moment, the earliest first. */
  after: queryInstant().optional(),
  limit: pageLimit(50),
});
