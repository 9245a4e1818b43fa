import { createRoute, z } from "@hono/zod-openapi";
import { generateToken, notFound, second, sha256 } from "../../../shared/kernel/index.ts";
import {
  conversationListRepo,
  conversationStatuses,
  type ListedConversation,
} from "../../../shared/support/index.ts";
import { createRoutes } from "../../http/app.ts";
import { assertAccess, type CustomAccess, secretKey } from "../../http/authentication/access.ts";
import { callObject } from "../../http/context.ts";
import { envelope, requireJson, route } from "../../http/contract.ts";
import { createRequestKey } from "../../http/idempotency/idempotency-key.ts";
import { assertUpgrade, closeUnauthorized, openSocket, socketAccess } from "../../http/sockets.ts";
import {
  type SocketRequest,
  socketRefusalStatus,
  socketTicketTtlMs,
} from "../../runtime/objects/conversation-object.ts";
import { runtime } from "../../runtime/runtime.ts";
import { formatNumberPosition, parseNumberPosition } from "../../wire/cursor-position.ts";
import { id, instant, name, queryBoolean, text, textOrNull, url } from "../../wire/fields.ts";
import { clientId, messageContent, messageRange } from "../../wire/message-fields.ts";
import { createPage, Page, pageQuery } from "../../wire/paging.ts";
import { MessageView, viewMessage } from "../../wire/views/support.ts";
import { socketFrames } from "../../wire/views/support-frames.ts";
import { createMerchantContext } from "../context.ts";
import {
  agentOf,
  conversationObject,
  hashCredential,
  unwrapConversationOutcome,
} from "../conversation-call.ts";
import type { BusinessBindings } from "../env.ts";
import {
  ConversationPageView,
  ConversationSummaryView,
  MerchantConversationView,
  viewConversationPage,
  viewConversationSummary,
  viewMerchantConversation,
} from "../views/conversation.ts";

const path = "/v1/businesses/{business_id}/conversations";
const onePath = `${path}/{thread_id}` as const;
const params = z.object({ business_id: id() });
const oneParams = params.extend({ thread_id: id() });

/** A file at another URL. The service stores these fields and never fetches the file. */
const AttachmentFields = z.object({
  url: url(),
  filename: name(500).nullish(),
  content_type: text(255).nullish(),
  size_bytes: z.number().int().min(0).nullish(),
});

const MessageBody = z.object({
  content: messageContent(),
  attachments: z.array(AttachmentFields).max(10).default([]),
  client_id: clientId().nullish(),
});

const agentSecurity = [{ secretKey: ["support:write"] }, { consoleSession: ["support:write"] }, {}];

/** A ticket is checked by the conversation, which has stored it. */
const keyOrTicket: CustomAccess = {
  kind: "custom",
  security: agentSecurity,
  responseStore: null,
  check: (c, next) =>
    c.req.query("ticket") === undefined
      ? assertAccess(secretKey("support:write"))(c, next)
      : next(),
};

const SocketTicketView = z
  .object({ ticket: z.string(), url: z.string(), expires_in_secs: z.number().int() })
  .openapi("SocketTicket");

const socketRoute = route("get", `${onePath}/ws`, {
  operationId: "connectConversation",
  tag: "Conversations",
  summary: "Open a WebSocket to a conversation as an agent, with a key or with a ticket",
  description: "More than 20 sockets are closed with 4009.",
  access: socketAccess(keyOrTicket, agentSecurity),
  params: oneParams,
  query: z.object({
    ticket: text(200).optional().openapi({ description: "For clients that cannot set headers." }),
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

/** The calls and the socket of support agents (docs/contract/business.md#conversation-calls). */
export const conversations = createRoutes<BusinessBindings>()
  .openapi(
    route("get", path, {
      operationId: "listConversations",
      tag: "Conversations",
      summary: "List conversations by their latest message, newest first",
      access: secretKey("support:read"),
      params,
      query: z.object({
        ...pageQuery,
        status: z.enum(conversationStatuses).optional(),
        unread: queryBoolean().optional(),
      }),
      response: Page(ConversationSummaryView),
    }),
    async (c) => {
      const { limit, cursor, status, unread: isUnread } = c.req.valid("query");
      const last = parseNumberPosition(cursor);
      const before = last && { activeAt: last.number, id: last.id };
      const repo = conversationListRepo(createMerchantContext(c));
      const conversations = await repo.list({ status, isUnread }, { limit: limit + 1, before });
      const view = viewConversationSummary;
      return c.json(
        envelope(createPage(conversations, { limit, view, position: positionOf })),
        200,
      );
    },
  )
  .openapi(
    route("get", onePath, {
      operationId: "getConversation",
      tag: "Conversations",
      summary: "Get a conversation with its latest messages, or with those after a time",
      access: secretKey("support:read"),
      params: oneParams,
      query: messageRange,
      response: ConversationPageView,
    }),
    async (c) => {
      const object = conversationObject(c, c.req.valid("param").thread_id);
      const { after = null, limit } = c.req.valid("query");
      const page = await unwrapConversationOutcome(
        c,
        object.read(agentOf(c).businessId, { after, limit }),
      );
      return c.json(envelope(viewConversationPage(page)), 200);
    },
  )
  .openapi(
    route("post", `${onePath}/messages`, {
      operationId: "sendConversationMessage",
      tag: "Conversations",
      summary: "Send the shopper a message; after 4,000 messages, 422 CONVERSATION_FULL",
      access: secretKey("support:write"),
      errors: ["BAD_REQUEST"],
      rules: ["CONVERSATION_FULL"],
      params: oneParams,
      body: requireJson(MessageBody),
      response: MessageView,
      status: 201,
    }),
    async (c) => {
      const body = c.req.valid("json");
      const object = conversationObject(c, c.req.valid("param").thread_id);
      const draft = {
        content: body.content,
        clientId: body.client_id ?? null,
        attachments: body.attachments.map(toAttachment),
        requestKey: await createRequestKey(c, body),
      };
      const message = await callObject(c, object.postAsAgent(agentOf(c), draft));
      return c.json(envelope(viewMessage(message)), 201);
    },
  )
  .openapi(
    route("post", `${onePath}/read`, {
      operationId: "markConversationRead",
      tag: "Conversations",
      summary: "Mark the customer's messages as read, all or those until a time",
      access: secretKey("support:write"),
      params: oneParams,
      body: requireJson(z.object({ until: instant().optional() })),
      response: MerchantConversationView,
    }),
    async (c) => {
      const object = conversationObject(c, c.req.valid("param").thread_id);
      const { until = null } = c.req.valid("json");
      const conversation = await unwrapConversationOutcome(
        c,
        object.markRead(agentOf(c).businessId, until),
      );
      return c.json(envelope(viewMerchantConversation(conversation)), 200);
    },
  )
  .openapi(
    route("post", `${onePath}/close`, {
      operationId: "closeConversation",
      tag: "Conversations",
      summary: "Close a conversation",
      description: "The shopper's next message reopens it.",
      access: secretKey("support:write"),
      params: oneParams,
      response: MerchantConversationView,
    }),
    async (c) => {
      const object = conversationObject(c, c.req.valid("param").thread_id);
      const conversation = await unwrapConversationOutcome(c, object.close(agentOf(c)));
      return c.json(envelope(viewMerchantConversation(conversation)), 200);
    },
  )
  .openapi(
    route("post", `${onePath}/ticket`, {
      operationId: "createSocketTicket",
      tag: "Conversations",
      summary: "Get a ticket with which an agent's browser opens one WebSocket",
      access: secretKey("support:write"),
      params: oneParams,
      response: SocketTicketView,
      status: 201,
    }),
    async (c) => {
      const { business_id: businessId, thread_id: threadId } = c.req.valid("param");
      const object = conversationObject(c, threadId);
      const ticket = generateToken(runtime.randomBytes);
      const hashes = {
        ticketHash: await sha256(ticket),
        keyHash: await hashCredential(c),
      };
      await unwrapConversationOutcome(c, object.addTicket(agentOf(c), hashes));
      const url = new URL(`/v1/businesses/${businessId}/conversations/${threadId}/ws`, c.req.url);
      url.protocol = url.protocol === "http:" ? "ws:" : "wss:";
      url.searchParams.set("ticket", ticket);
      const data = { ticket, url: url.href, expires_in_secs: socketTicketTtlMs / second };
      return c.json(envelope(data), 201);
    },
  )
  .openapi(upgradeRoute, async (c) => {
    assertUpgrade(c);
    const { business_id: businessId, thread_id: threadId } = c.req.valid("param");
    const object = conversationObject(c, threadId);
    const { ticket } = c.req.valid("query");
    const request: SocketRequest =
      ticket === undefined
        ? { role: "agent", agent: agentOf(c), keyHash: await hashCredential(c) }
        : { role: "ticket", businessId, ticketHash: await sha256(ticket) };
    const response = await openSocket(c, object, request);
    if (response.status === socketRefusalStatus.stale) return closeUnauthorized(c);
    if (response.status !== 101) throw notFound("conversation");
    return response;
  });

const positionOf = ({ lastMessageAt, createdAt, id }: ListedConversation): string =>
  formatNumberPosition(lastMessageAt ?? createdAt, id);

const toAttachment = (fields: z.infer<typeof AttachmentFields>) => ({
  url: fields.url,
  filename: fields.filename ?? null,
  contentType: textOrNull(fields.content_type),
  sizeBytes: fields.size_bytes ?? null,
});
