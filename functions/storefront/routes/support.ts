import { createRoute, z } from "@hono/zod-openapi";
import { sha256 } from "../../../shared/kernel/index.ts";
import { createRoutes } from "../../http/app.ts";
import {
  publishableKey as access,
  createSocketKeyReader,
} from "../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../http/contract.ts";
import { createRequestKey } from "../../http/idempotency/idempotency-key.ts";
import { assertUpgrade, closeUnauthorized, openSocket, socketAccess } from "../../http/sockets.ts";
import { socketRefusalStatus } from "../../runtime/objects/conversation-object.ts";
import { text } from "../../wire/fields.ts";
import { clientId, messageContent, messageRange } from "../../wire/message-fields.ts";
import {
  ConversationView,
  MessageView,
  viewConversation,
  viewMessage,
} from "../../wire/views/support.ts";
import { socketFrames } from "../../wire/views/support-frames.ts";
import { readSession } from "../caller-session.ts";
import { type StorefrontBindings, supportSocketPath } from "../env.ts";
import { storeBySession } from "../response-stores.ts";
import {
  assertMayOpenSocket,
  callConversation,
  callerOf,
  conversationOf,
  countConversation,
  startCountedSession,
} from "../support-call.ts";

const path = "/support/conversation";

const readSocketKey = createSocketKeyReader(supportSocketPath);

const socketRoute = route("get", supportSocketPath, {
  operationId: "connectConversation",
  tag: "Support",
  summary: "Open a WebSocket to the conversation",
  description:
    "More than 20 sockets are closed with 4009, and sockets with an outdated session with 4001.",
  access: socketAccess(access, [{ publishableKey: [] }]),
  session: "starts",
  query: z.object({
    public_key: text(200)
      .optional()
      .openapi({ description: "The publishable key, for clients that cannot set headers." }),
  }),
  response: z.null(),
});

const upgradeRoute = createRoute({
  ...socketRoute,
  ...socketFrames,
  responses: {
    101: { description: socketRoute.summary },
  },
});

/** The shopper's calls and socket of support (docs/contract/storefront.md#support). */
export const support = createRoutes<StorefrontBindings>()
  .openapi(
    route("post", path, {
      operationId: "openConversation",
      tag: "Support",
      summary: "Open the session's conversation and get its latest messages",
      access,
      session: "starts",
      response: z.object({ conversation: ConversationView, messages: z.array(MessageView) }),
      idempotency: { store: storeBySession },
    }),
    async (c) => {
      const page = await callConversation(c, (object, caller) => object.open(caller));
      const conversation = viewConversation(page.conversation);
      return c.json(envelope({ conversation, messages: page.messages.map(viewMessage) }), 200);
    },
  )
  .openapi(
    route("post", `${path}/messages`, {
      operationId: "sendConversationMessage",
      tag: "Support",
      summary: "Send a message",
      description:
        "A repeated client_id gets 409 with the first message; after 2,000 messages, 422 CONVERSATION_FULL.",
      access,
      session: "starts",
      errors: ["BAD_REQUEST"],
      rules: ["CONVERSATION_FULL"],
      body: requireJson(z.object({ content: messageContent(), client_id: clientId() })),
      response: MessageView,
      idempotency: { store: storeBySession },
    }),
    async (c) => {
      const { content, client_id } = c.req.valid("json");
      const requestKey = await createRequestKey(c, { content, client_id });
      const draft = { content, clientId: client_id, attachments: [], requestKey };
      const message = await callConversation(c, (object, caller) => object.post(caller, draft));
      return c.json(envelope(viewMessage(message)), 200);
    },
  )
  .openapi(
    route("get", `${path}/messages`, {
      operationId: "listConversationMessages",
      tag: "Support",
      summary: "List messages, optionally after a time",
      access,
      session: "starts",
      query: messageRange,
      response: z.array(MessageView),
    }),
    async (c) => {
      const { after = conversationStart, limit } = c.req.valid("query");
      const messages = await callConversation(c, (object, caller) =>
        object.listMessages(caller, { after, limit }),
      );
      return c.json(envelope(messages.map(viewMessage)), 200);
    },
  )
  .openapi(upgradeRoute, async (c) => {
    assertUpgrade(c);
    const existing = await readSession(c);
    await assertMayOpenSocket(c, existing);
    const mayCreateInMs = await countConversation(c, existing);
    const session = existing ?? (await startCountedSession(c, mayCreateInMs));
    const holder = { session, isNew: existing === null, mayCreateInMs };
    const keyHash = await sha256(readSocketKey(c) ?? "");
    const request = { role: "customer", caller: callerOf(c, holder), keyHash } as const;
    const response = await openSocket(c, await conversationOf(c, holder), request);
    // No new session is started for an old cookie. Its Set-Cookie could replace the cookie of a
    // login that runs at the same time.
    return response.status === socketRefusalStatus.stale ? closeUnauthorized(c) : response;
  });

const conversationStart = 0;
