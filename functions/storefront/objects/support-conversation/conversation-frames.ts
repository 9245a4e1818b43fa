import { z } from "@hono/zod-openapi";
import {
  invalid,
  invalidFields,
  iso,
  isoOrNull,
  type Refusal,
  type RefusalData,
} from "../../../../shared/kernel/index.ts";
import type { Conversation, SenderType, SupportMessage } from "../../../../shared/support/index.ts";
import { clientId, messageContent } from "../../../wire/message-fields.ts";
import { issuesOf } from "../../../wire/validation-issues.ts";
import { viewConversation, viewMessage } from "../../../wire/views/support.ts";

/** The frames that a client may send (docs/contract/events.md#support-client-frames). */
const ClientFrame = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ping") }),
  z.object({ type: z.literal("pong") }),
  z.object({ type: z.literal("typing") }),
  z.object({ type: z.literal("message"), content: messageContent(), client_id: clientId() }),
]);
export type ClientFrame = z.infer<typeof ClientFrame>;

/**
 * A frame that cannot be parsed. Contains the frame's client_id if at least that field is valid.
 */
type UnreadableFrame = Readonly<{
  type: "unreadable";
  refusal: RefusalData;
  clientId: string | null;
}>;

export function readFrame(data: string | ArrayBuffer): ClientFrame | UnreadableFrame {
  if (typeof data !== "string") return unreadable(invalid("frame", "must be text"));
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch {
    return unreadable(invalid("frame", "must be JSON"));
  }
  const parsed = ClientFrame.safeParse(json);
  if (parsed.success) return parsed.data;
  const identified = FrameWithClientId.safeParse(json);
  const issues = issuesOf(parsed.error.issues, "frame");
  return unreadable(invalidFields(issues), identified.success ? identified.data.client_id : null);
}

const FrameWithClientId = z.object({ client_id: clientId() });

const unreadable = (refusal: Refusal, clientId: string | null = null): UnreadableFrame => ({
  type: "unreadable",
  refusal: refusal.toData(),
  clientId,
});

const maxFrameBytes = 16 * 1024;

export function isTooLarge(data: string | ArrayBuffer): boolean {
  if (typeof data !== "string") return data.byteLength > maxFrameBytes;
  // Each UTF-16 code unit becomes one to three bytes of UTF-8. So long texts need not be encoded.
  if (data.length > maxFrameBytes) return true;
  return data.length * 3 > maxFrameBytes && new TextEncoder().encode(data).length > maxFrameBytes;
}

const frame = (type: string, fields: object = {}): string => JSON.stringify({ type, ...fields });

/** The frames that the server sends (docs/contract/events.md#support-server-frames). */
export const frames = {
  /** `socketId` is what a login names to keep this socket. */
  resync: ({ lastMessageAt }: Pick<Conversation, "lastMessageAt">, socketId: string) =>
    frame("resync", { latest_message_at: isoOrNull(lastMessageAt), socket_id: socketId }),
  message: (message: SupportMessage) => frame("message", { message: viewMessage(message) }),
  conversation: (conversation: Conversation) =>
    frame("conversation", { conversation: viewConversation(conversation) }),
  typing: (senderType: SenderType) => frame("typing", { sender_type: senderType }),
  ping: (at: number) => frame("ping", { at: iso(at) }),
  pong: frame("pong"),
  /** `clientId` identifies the refused message. Null when the frame was not a message. */
  error: ({ code, message, context }: RefusalData, clientId: string | null) =>
    frame("error", { code, message, ...(context && { context }), client_id: clientId }),
};

/** The ping of a client to which the Cloudflare runtime responds without waking the object. */
export const plainPing = frame("ping");
