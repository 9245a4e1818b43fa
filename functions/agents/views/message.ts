/** A message of a body, in the form that both releases have. */
export type MessageView = Readonly<{
  type: "error" | "warning" | "info";
  code: string;
  content: string;
  /** RFC 9535 JSONPath of the part that the message is about. */
  path?: string;
  severity?: "recoverable" | "requires_buyer_input" | "requires_buyer_review" | "unrecoverable";
}>;

export const infoMessage = (code: string, content: string, path?: string): MessageView => ({
  type: "info",
  code,
  content,
  ...(path !== undefined && { path }),
});

/** The messages of a body, which leaves the field out when there are none. */
export const viewMessages = (messages: readonly MessageView[]) =>
  messages.length === 0 ? {} : { messages };
