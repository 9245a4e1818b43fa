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
import { clientId } from "../../../wire/message-fields.ts";
import { issuesOf } from "../../../wire/validation-issues.ts";
import { viewConversation, viewMessage } from "../../../wire/views/support.ts";
import {
  type ClientFrame,
  clientFrame,
  type ServerFrame,
} from "../../../wire/views/support-frames.ts";

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
  const parsed = clientFrame.safeParse(json);
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

const frameText = (frame: ServerFrame): string => JSON.stringify(frame);

/** The frames that the server sends (docs/contract/events.md#support-server-frames). */
export const frames = {
  /** `socketId` is what a login names to keep this socket. */
  resync: ({ lastMessageAt }: Pick<Conversation, "lastMessageAt">, socketId: string) =>
    frameText({
      type: "resync",
      latest_message_at: isoOrNull(lastMessageAt),
      socket_id: socketId,
    }),
  message: (message: SupportMessage) =>
    frameText({ type: "message", message: viewMessage(message) }),
  conversation: (conversation: Conversation) =>
    frameText({ type: "conversation", conversation: viewConversation(conversation) }),
  typing: (senderType: SenderType) => frameText({ type: "typing", sender_type: senderType }),
  ping: (at: number) => frameText({ type: "ping", at: iso(at) }),
  pong: frameText({ type: "pong" }),
  /** `clientId` identifies the refused message. Null when the frame was not a message. */
  error: ({ code, message, context }: RefusalData, clientId: string | null) =>
    JSON.stringify({
      type: "error",
      code,
      message,
      ...(context && { context }),
      client_id: clientId,
    }),
};

/** The ping of a client to which the Cloudflare runtime responds without waking the object. */
export const plainPing = JSON.stringify({ type: "ping" } satisfies ClientFrame);
