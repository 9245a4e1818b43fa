import { Refusal } from "../kernel/index.ts";

export const senderTypes = ["customer", "agent", "system", "ai"] as const;
export type SenderType = (typeof senderTypes)[number];

/** A file that a message points at; whoever shows it fetches it from there. */
export type Attachment = Readonly<{
  url: string;
  filename: string | null;
  contentType: string | null;
  sizeBytes: number | null;
}>;

export type Message = Readonly<{
  id: string;
  senderType: SenderType;
  content: string;
  attachments: readonly Attachment[];
  /** The sender's own name for it, used once on a thread; null for one without. */
  clientId: string | null;
  /** Epoch milliseconds; no two messages of a conversation have the same. */
  createdAt: number;
}>;

/** What somebody wants to say. */
export type Draft = Readonly<{
  content: string;
  clientId: string | null;
  attachments: readonly Attachment[];
  /** By what a repeat of the same request is known; null for one that cannot be repeated. */
  requestKey: string | null;
}>;

const maxContentLength = 4_000;

/**
 * What a message says, trimmed: 1 to 4,000 characters (interface.md, Limits).
 *
 * @throws Refusal BAD_REQUEST.
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
