import { z } from "@hono/zod-openapi";
import {
  allInvalid,
  invalid,
  iso,
  isoOrNull,
  type Refusal,
  type RefusalData,
} from "../../../../shared/kernel/index.ts";
import type { Conversation, Message, SenderType } from "../../../../shared/support/index.ts";
import { clientId, messageContent } from "../../../wire/message-fields.ts";
import { issuesOf } from "../../../wire/validation-issues.ts";
import { viewConversation, viewMessage } from "../../../wire/views/support.ts";

/** What a client may send (completions.md 10). */
const ClientFrame = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ping") }),
  z.object({ type: z.literal("pong") }),
  z.object({ type: z.literal("typing") }),
  z.object({ type: z.literal("message"), content: messageContent(), client_id: clientId() }),
]);
export type ClientFrame = z.infer<typeof ClientFrame>;

/** A frame that cannot be read, why, and which message of its sender it was; null where that is unreadable too. */
type Unreadable = Readonly<{ type: "unreadable"; refusal: RefusalData; clientId: string | null }>;

export function readFrame(data: string | ArrayBuffer): ClientFrame | Unreadable {
  if (typeof data !== "string") return unreadable(invalid("frame", "must be text"));
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch {
    return unreadable(invalid("frame", "must be JSON"));
  }
  const parsed = ClientFrame.safeParse(json);
  if (parsed.success) return parsed.data;
  const named = Named.safeParse(json);
  const issues = issuesOf(parsed.error.issues, "frame");
  return unreadable(allInvalid(issues), named.success ? named.data.client_id : null);
}

const Named = z.object({ client_id: clientId() });

const unreadable = (refusal: Refusal, clientId: string | null = null): Unreadable => ({
  type: "unreadable",
  refusal: refusal.toData(),
  clientId,
});

const maxFrameBytes = 16 * 1024;

export function isTooLarge(data: string | ArrayBuffer): boolean {
  if (typeof data !== "string") return data.byteLength > maxFrameBytes;
  // A sign is one byte of UTF-8 at least, and three at most.
  if (data.length > maxFrameBytes) return true;
  return data.length * 3 > maxFrameBytes && new TextEncoder().encode(data).length > maxFrameBytes;
}

const frame = (type: string, fields: object = {}): string => JSON.stringify({ type, ...fields });

/** What the server sends (completions.md 10). */
export const frames = {
  resync: ({ lastMessageAt }: Pick<Conversation, "lastMessageAt">) =>
    frame("resync", { latest_message_at: isoOrNull(lastMessageAt) }),
  message: (message: Message) => frame("message", { message: viewMessage(message) }),
  conversation: (conversation: Conversation) =>
    frame("conversation", { conversation: viewConversation(conversation) }),
  typing: (senderType: SenderType) => frame("typing", { sender_type: senderType }),
  ping: (at: number) => frame("ping", { at: iso(at) }),
  pong: frame("pong"),
  /** `client_id` says which of the sender's messages was refused; null when it was none. */
  error: ({ code, message, context }: RefusalData, of: string | null) =>
    frame("error", { code, message, ...(context && { context }), client_id: of }),
};

/** The client's ping that the runtime answers by itself, while the object sleeps. */
export const plainPing = frame("ping");
