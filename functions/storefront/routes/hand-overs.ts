import { invalid, parseJson } from "../../../shared/kernel/index.ts";
import { createRoutes } from "../../http/app.ts";
import { receiveBody } from "../../http/bodies.ts";
import { envelope } from "../../http/contract.ts";
import { continueSession } from "../continue-session.ts";
import type { StorefrontBindings } from "../env.ts";

/**
 * The call of the hosted pages behind an agent's continue_url (docs/agents.md#handing-over). It is no
 * part of the API, because the link leads to those pages only.
 */
export const handOvers = createRoutes<StorefrontBindings>();

const maxTokenLength = 200;
const receiveToken = receiveBody({ maxBytes: 4 * 1024, message: "The body is larger than 4 KiB." });

handOvers.post("/hand-overs", receiveToken, async (c) => {
  const { token } = Object(parseJson(await c.req.text()));
  if (typeof token !== "string" || token.length > maxTokenLength)
    throw invalid("token", "must be a text of at most 200 characters");
  return c.json(envelope(await continueSession(c, token)), 200);
});
