import { z } from "@hono/zod-openapi";
import {
  type DeadLetter,
  deadLetterRepo,
  type RetryContext,
  retryDeadLetter,
  retryDeadLetters,
} from "../../../../shared/dead-letters/index.ts";
import { iso, isoOrNull } from "../../../../shared/kernel/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { operator } from "../../../http/authentication/access.ts";
import type { RequestContext } from "../../../http/context.ts";
import { envelope, route } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { createOperatorContext } from "../../context.ts";

const path = "/v1/operator/dead-letters";

const DeadLetterView = z
  .object({
    id: z.string(),
    queue: z.string(),
    business_id: z.string(),
    shard: z.string(),
    received_at: z.string(),
    retried_at: z.string().nullable(),
  })
  .openapi("DeadLetter");

const viewDeadLetter = (letter: DeadLetter): z.infer<typeof DeadLetterView> => ({
  id: letter.id,
  queue: letter.queue,
  business_id: letter.businessId,
  shard: letter.shard,
  received_at: iso(letter.receivedAt),
  retried_at: isoOrNull(letter.retriedAt),
});

function createRetryContext(c: RequestContext): RetryContext {
  const { core, now } = createOperatorContext(c);
  return {
    core,
    now,
    sendWakeups: async (wakeups) => {
      await c.env.EVENTS.sendBatch(wakeups.map((body) => ({ body })));
    },
  };
}

/** What the queues gave up on (docs/contract/operator.md#dead-letters). */
export const deadLetters = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listDeadLetters",
      tag: "Operators",
      summary: "List the messages that a queue gave up on, newest first",
      access: operator,
      query: z.object(pageQuery),
      response: Page(DeadLetterView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const { core } = createOperatorContext(c);
      const before = parseIdPosition(cursor, "dlt_");
      const letters = await deadLetterRepo(core).list({ limit: limit + 1, before });
      return c.json(
        envelope(createPage(letters, { limit, view: viewDeadLetter, position: ({ id }) => id })),
        200,
      );
    },
  )
  .openapi(
    route("post", `${path}/retry`, {
      operationId: "retryDeadLetters",
      tag: "Operators",
      summary: "Send the 100 messages that wait longest to their queue again",
      access: operator,
      response: z.object({ retried: z.number().int(), remaining: z.number().int() }),
    }),
    async (c) => c.json(envelope(await retryDeadLetters(createRetryContext(c))), 200),
  )
  .openapi(
    route("post", `${path}/{dead_letter_id}/retry`, {
      operationId: "retryDeadLetter",
      tag: "Operators",
      summary: "Send a message to its queue again, once",
      access: operator,
      params: z.object({ dead_letter_id: id() }),
      response: DeadLetterView,
    }),
    async (c) => {
      const letter = await retryDeadLetter(
        createRetryContext(c),
        c.req.valid("param").dead_letter_id,
      );
      return c.json(envelope(viewDeadLetter(letter)), 200);
    },
  );
