import { createRoute, z } from "@hono/zod-openapi";
import { notFound } from "../../../shared/kernel/index.ts";
import {
  conversationIndexRepo,
  conversationStatuses,
  type ListedConversation,
} from "../../../shared/support/index.ts";
import { area } from "../../http/app.ts";
import { secretKey } from "../../http/authentication/access.ts";
import { keyTextOf } from "../../http/authentication/caller.ts";
import { answer, contract, json } from "../../http/contract.ts";
import { requestKeyOf } from "../../http/idempotency/key.ts";
import { replied } from "../../http/object-calls.ts";
import { demandUpgrade, openSocket, socketAccess } from "../../http/sockets.ts";
import { id, name, url } from "../../wire/fields.ts";
import { clientId, messageContent, messageRange } from "../../wire/message-fields.ts";
import { Page, pageOf, pageQuery } from "../../wire/paging.ts";
import { MessageView, viewMessage } from "../../wire/views/support.ts";
import { merchantContext } from "../context.ts";
import { agentOf, conversationNamed, told } from "../conversation-call.ts";
import type { BusinessBindings } from "../env.ts";
import { numberPosition, numberPositionOf } from "../requests/list-position.ts";
import {
  ConversationPageView,
  MerchantConversationView,
  viewConversationPage,
  viewMerchantConversation,
} from "../views/conversation.ts";

const path = "/v1/businesses/{business_id}/conversations";
const onePath = `${path}/{thread_id}` as const;
const params = z.object({ business_id: id() });
const oneParams = params.extend({ thread_id: id() });

/** A file that is somewhere already; nothing is fetched or kept of it but these words. */
const AttachmentFields = z.object({
  url: url(),
  filename: name(500).nullish(),
  content_type: name(255).nullish(),
  size_bytes: z.number().int().min(0).nullish(),
});

const MessageBody = z.object({
  content: messageContent(),
  attachments: z.array(AttachmentFields).max(10).default([]),
  client_id: clientId().nullish(),
});

const socketRow = contract("get", `${onePath}/ws`, {
  summary:
    "The agent's end of the conversation's WebSocket, one of 20 at most: the next is closed with 4009",
  access: socketAccess(secretKey("support:write"), [{ secretKey: ["support:write"] }]),
  params: oneParams,
  answer: z.null(),
});

const socket = createRoute({
  ...socketRow,
  responses: {
    101: { description: socketRow.summary },
    default: socketRow.responses.default,
  },
});

/** business-surface.md, Support. */
export const conversations = area<BusinessBindings>()
  .openapi(
    contract("get", path, {
      summary: "The business's conversations, the one with the latest message first",
      access: secretKey("support:read"),
      params,
      query: z.object({ ...pageQuery, status: z.enum(conversationStatuses).optional() }),
      answer: Page(MerchantConversationView),
    }),
    async (c) => {
      const { limit, cursor, status } = c.req.valid("query");
      const last = numberPosition(cursor);
      const before = last && { activeAt: last.number, id: last.id };
      const repo = conversationIndexRepo(merchantContext(c));
      const found = await repo.list({ status }, { limit: limit + 1, before });
      const view = viewMerchantConversation;
      return c.json(answer(pageOf(found, { limit, view, position })), 200);
    },
  )
  .openapi(
    contract("get", onePath, {
      summary: "One conversation with its latest messages, or with those after a moment",
      access: secretKey("support:read"),
      params: oneParams,
      query: messageRange,
      answer: ConversationPageView,
    }),
    async (c) => {
      const object = conversationNamed(c, c.req.valid("param").thread_id);
      const { after = null, limit } = c.req.valid("query");
      const page = await told(c, object.read(agentOf(c).businessId, { after, limit }));
      return c.json(answer(viewConversationPage(page)), 200);
    },
  )
  .openapi(
    contract("post", `${onePath}/messages`, {
      summary:
        "Answer the shopper, on whose socket it arrives at once; 422 CONVERSATION_FULL after 4,000 messages",
      access: secretKey("support:write"),
      params: oneParams,
      body: json(MessageBody),
      answer: MessageView,
      status: 201,
    }),
    async (c) => {
      const body = c.req.valid("json");
      const object = conversationNamed(c, c.req.valid("param").thread_id);
      const draft = {
        content: body.content,
        clientId: body.client_id ?? null,
        attachments: body.attachments.map(readAttachment),
        requestKey: await requestKeyOf(c, body),
      };
      const message = await replied(c, object.postAsAgent(agentOf(c), draft));
      return c.json(answer(viewMessage(message)), 201);
    },
  )
  .openapi(
    contract("post", `${onePath}/close`, {
      summary: "Close a conversation; the shopper's next message opens it again",
      access: secretKey("support:write"),
      params: oneParams,
      answer: MerchantConversationView,
    }),
    async (c) => {
      const object = conversationNamed(c, c.req.valid("param").thread_id);
      const conversation = await told(c, object.close(agentOf(c)));
      return c.json(answer(viewMerchantConversation(conversation)), 200);
    },
  )
  .openapi(socket, async (c) => {
    demandUpgrade(c);
    const object = conversationNamed(c, c.req.valid("param").thread_id);
    const by = { role: "agent", agent: agentOf(c) } as const;
    const opened = await openSocket(c, object, by, keyTextOf(c) ?? "");
    if (opened.status !== 101) throw notFound("conversation");
    return opened;
  });

const position = ({ lastMessageAt, createdAt, id }: ListedConversation): string =>
  numberPositionOf(lastMessageAt ?? createdAt, id);

const readAttachment = (fields: z.infer<typeof AttachmentFields>) => ({
  url: fields.url,
  filename: fields.filename ?? null,
  contentType: fields.content_type ?? null,
  sizeBytes: fields.size_bytes ?? null,
});
