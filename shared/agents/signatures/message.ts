/** An HTTP message whose signature is created or verified (RFC 9421). */
export type SignedMessage = SignedRequest | SignedResponse;

type MessageParts = Readonly<{
  headers: Pick<Headers, "get">;
  /** The body's bytes as they are transferred; empty when there is none. */
  body: Uint8Array;
}>;

/** A request, with the address that its sender used. */
export type SignedRequest = MessageParts &
  Readonly<{ type: "request"; method: string; url: string }>;

export type SignedResponse = MessageParts & Readonly<{ type: "response"; status: number }>;

/** The derived components of a message; null for a component that it does not have. */
export function derivedComponent(message: SignedMessage, name: string): string | null {
  if (message.type === "response") return name === "@status" ? String(message.status) : null;
  const url = new URL(message.url);
  switch (name) {
    case "@method":
      return message.method;
    case "@target-uri":
      return message.url;
    case "@authority":
      return url.host;
    case "@scheme":
      return url.protocol.slice(0, -1);
    case "@request-target":
      return url.pathname + url.search;
    case "@path":
      return url.pathname;
    case "@query":
      return url.search || "?";
    default:
      return null;
  }
}

/** The headers that bind an identity or an effect, so that a signature covers them when present. */
const bindingHeaders = ["ucp-agent", "signature-agent", "idempotency-key"] as const;

/** The components that a signature must cover (docs/agents.md#signatures). */
export function requiredComponents(message: SignedMessage): readonly string[] {
  const ofBody = message.body.byteLength > 0 ? ["content-digest", "content-type"] : [];
  if (message.type === "response") return ["@status", ...ofBody];
  return [
    "@method",
    "@authority",
    "@path",
    ...(new URL(message.url).search === "" ? [] : ["@query"]),
    ...bindingHeaders.filter((name) => message.headers.get(name) !== null),
    ...ofBody,
  ];
}
