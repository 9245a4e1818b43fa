import { createRoute, z } from "@hono/zod-openapi";
import { area } from "../../http/app.ts";
import { publishableKey as access } from "../../http/authentication/access.ts";
import { sessionOf, startSession } from "../../http/authentication/session-cookie.ts";
import { answer, contract, json } from "../../http/contract.ts";
import { requestKeyOf } from "../../http/idempotency/key.ts";
import { demandUpgrade, notAuthorised, openSocket, socketAccess } from "../../http/sockets.ts";
import { refusedOpening } from "../../runtime/objects/conversation-object.ts";
import { text } from "../../wire/fields.ts";
import { clientId, messageContent, messageRange } from "../../wire/message-fields.ts";
import {
  ConversationView,
  MessageView,
  viewConversation,
  viewMessage,
} from "../../wire/views/support.ts";
import type { StorefrontBindings } from "../env.ts";
import { storefrontKeyText, supportSocketPath } from "../requests/key-text.ts";
import { askConversation, callerOf, conversationOf } from "../support-call.ts";
import { answersOfSession as answersOf } from "../views/order-answers.ts";

const path = "/support/conversation";

const socketRow = contract("get", supportSocketPath, {
  summary:
    "A WebSocket to the conversation, one of 20 at most: the next is closed with 4009, and one with a cookie that is not good any more with 4001",
  access: socketAccess(access, [{ publishableKey: [] }]),
  query: z.object({
    public_key: text(200)
      .optional()
      .openapi({ description: "The publishable key, where no header can be set." }),
  }),
  answer: z.null(),
});

const socket = createRoute({
  ...socketRow,
  responses: {
    101: { description: socketRow.summary },
    default: socketRow.responses.default,
  },
});

/** interface.md, Support. */
export const support = area<StorefrontBindings>()
  .openapi(
    contract("post", path, {
      summary: "Find or begin the session's one conversation, with its latest messages",
      access,
      answer: z.object({ conversation: ConversationView, messages: z.array(MessageView) }),
      answersOf,
    }),
    async (c) => {
      const page = await askConversation(c, (object, caller) => object.open(caller));
      const conversation = viewConversation(page.conversation);
      return c.json(answer({ conversation, messages: page.messages.map(viewMessage) }), 200);
    },
  )
  .openapi(
    contract("post", `${path}/messages`, {
      summary:
        "Say something; 409 with the first message when its client_id came before, 422 CONVERSATION_FULL after 2,000 messages",
      access,
      body: json(z.object({ content: messageContent(), client_id: clientId() })),
      answer: MessageView,
      answersOf,
    }),
    async (c) => {
      const { content, client_id } = c.req.valid("json");
      const requestKey = await requestKeyOf(c, { content, client_id });
      const draft = { content, clientId: client_id, attachments: [], requestKey };
      const message = await askConversation(c, (object, caller) => object.post(caller, draft));
      return c.json(answer(viewMessage(message)), 200);
    },
  )
  .openapi(
    contract("get", `${path}/messages`, {
      summary: "What was said after a moment, or from the beginning",
      access,
      query: messageRange,
      answer: z.array(MessageView),
    }),
    async (c) => {
      const { after = beginning, limit } = c.req.valid("query");
      const messages = await askConversation(c, (object, caller) =>
        object.messages(caller, { after, limit }),
      );
      return c.json(answer(messages.map(viewMessage)), 200);
    },
  )
  .openapi(socket, async (c) => {
    demandUpgrade(c);
    const known = await sessionOf(c);
    const bearer = { session: known ?? (await startSession(c)), isNew: known === null };
    const by = { role: "customer", caller: callerOf(c, bearer) } as const;
    const object = await conversationOf(c, bearer);
    const opened = await openSocket(c, object, by, storefrontKeyText(c) ?? "");
    // No fresh session here: its cookie could overtake the one that a login is just bringing.
    return opened.status === refusedOpening.stale ? notAuthorised() : opened;
  });

const beginning = 0;
