/** What a frame tells the page around it (docs/elements.md). */
export type Told =
  | Readonly<{ type: "ready" | "requires_otp" }>
  | Readonly<{ type: "height_change"; height: number }>
  | Readonly<{
      type: "authenticated";
      session_token: string;
      refresh_token: string;
      expires_in: number;
    }>
  | Readonly<{ type: "error"; code: string; message: string; retryable: boolean }>;

/** What that page asks of a frame. */
export type Asked =
  | Readonly<{ type: "init"; sessionToken: string | null; contact: string | null }>
  | Readonly<{ type: "refresh_token"; refreshToken: string }>
  | Readonly<{ type: "logout" }>;

export type Channel = Readonly<{ tell(told: Told): void }>;

const minNonceLength = 16;

/**
 * Talks with the page around the frame, and with nobody else: a message counts when it comes from
 * that very window, of the origin in the frame's address, with the nonce of the first `init`. What
 * is told goes to that origin alone, and only once the nonce is known.
 */
export function openChannel(onAsked: (asked: Asked) => void): Channel {
  const origin = new URLSearchParams(location.search).get("origin") ?? "";
  let nonce: string | null = null;

  addEventListener("message", ({ source, origin: sender, data }) => {
    if (parent === window || source !== parent || sender !== origin) return;
    const message = fieldsOf(data);
    const asked = readAsked(message);
    if (asked?.type === "init" && nonce === null) nonce = nonceIn(message);
    if (asked && nonce !== null && message.nonce === nonce) onAsked(asked);
  });

  return {
    tell(told) {
      if (nonce !== null) parent.postMessage({ ...told, nonce }, origin);
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (data: unknown): Fields =>
  typeof data === "object" && data !== null ? { ...data } : {};

const textOf = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

function nonceIn({ nonce }: Fields): string | null {
  const text = textOf(nonce);
  return text !== null && text.length >= minNonceLength ? text : null;
}

/** Null for what the protocol does not know. */
function readAsked({ type, session_token, refresh_token, contact }: Fields): Asked | null {
  if (type === "init") {
    return { type, sessionToken: textOf(session_token), contact: textOf(contact) };
  }
  const refreshToken = textOf(refresh_token);
  if (type === "refresh_token" && refreshToken !== null) return { type, refreshToken };
  return type === "logout" ? { type } : null;
}
