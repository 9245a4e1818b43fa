import { parseTheme, type Theme } from "./theme.ts";

/** A message that the frame sends to the page that embeds it (docs/elements.md). */
export type FrameMessage =
  | Readonly<{ type: "ready" | "requires_otp" }>
  | Readonly<{ type: "height_change"; height: number }>
  | Readonly<{
      type: "authenticated";
      session_token: string;
      refresh_token: string;
      expires_in: number;
    }>
  | Readonly<{ type: "error"; code: string; message: string; retryable: boolean }>;

/** A message that the embedding page sends to the frame. */
export type ParentMessage =
  | Readonly<{ type: "init"; sessionToken: string | null; contact: string | null; theme: Theme }>
  | Readonly<{ type: "refresh_token"; refreshToken: string }>
  | Readonly<{ type: "logout" }>;

export type Channel = Readonly<{ send(message: FrameMessage): void }>;

const minNonceLength = 16;

/**
 * Exchanges messages with the embedding page only. Accepts messages from that window, with the
 * origin in the frame's URL and the nonce of the first `init`. Sends nothing before that `init`.
 */
export function openChannel(onMessage: (message: ParentMessage) => void): Channel {
  const origin = new URLSearchParams(location.search).get("origin") ?? "";
  let nonce: string | null = null;

  addEventListener("message", ({ source, origin: sender, data }) => {
    if (parent === window || source !== parent || sender !== origin) return;
    const fields = fieldsOf(data);
    const message = parseParentMessage(fields);
    if (message?.type === "init" && nonce === null) nonce = nonceOf(fields);
    if (message && nonce !== null && fields.nonce === nonce) onMessage(message);
  });

  return {
    send(message) {
      if (nonce !== null) parent.postMessage({ ...message, nonce }, origin);
    },
  };
}

type MessageFields = Readonly<Record<string, unknown>>;

const fieldsOf = (data: unknown): MessageFields =>
  typeof data === "object" && data !== null ? { ...data } : {};

const textOf = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

function nonceOf({ nonce }: MessageFields): string | null {
  const text = textOf(nonce);
  return text !== null && text.length >= minNonceLength ? text : null;
}

/** Returns null for an unknown message. */
function parseParentMessage({
  type,
  session_token,
  refresh_token,
  contact,
  ...fields
}: MessageFields): ParentMessage | null {
  if (type === "init") {
    const theme = parseTheme(fields);
    return { type, sessionToken: textOf(session_token), contact: textOf(contact), theme };
  }
  const refreshToken = textOf(refresh_token);
  if (type === "refresh_token" && refreshToken !== null) return { type, refreshToken };
  return type === "logout" ? { type } : null;
}
