import { Refusal } from "../kernel/index.ts";

export const senderTypes = ["customer", "agent", "system", "ai"] as const;
export type SenderType = (typeof senderTypes)[number];

/** A file linked by a message. The service never fetches the URL. */
export type Attachment = Readonly<{
  url: string;
  filename: string | null;
  contentType: string | null;
  sizeBytes: number | null;
}>;

export type SupportMessage = Readonly<{
  id: string;
  senderType: SenderType;
  content: string;
  attachments: readonly Attachment[];
  /** The id that the sender chose, unique in the conversation. Null when the sender chose none. */
  clientId: string | null;
  /** When the message was posted, in epoch milliseconds. Unique in the conversation. */
  createdAt: number;
}>;

/** A message to be posted. */
export type Draft = Readonly<{
  content: string;
  clientId: string | null;
  attachments: readonly Attachment[];
  /** The key that identifies a repeated request; null without an Idempotency-Key. */
  requestKey: string | null;
}>;

const maxContentLength = 4_000;

/**
 * Trims the content of a message.
 *
 * @throws Refusal BAD_REQUEST unless 1 to 4,000 characters remain.
 */
export function messageContent(text: string): string {
  const content = text.trim();
  const { length } = [...content];
  if (length >= 1 && length <= maxContentLength) return content;
  throw new Refusal({
    code: "BAD_REQUEST",
    message: `content: must be 1 to ${maxContentLength} characters after trimming.`,
    context: { field: "content" },
  });
}
