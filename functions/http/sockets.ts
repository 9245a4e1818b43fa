import { findRefusal, invalid } from "../../shared/kernel/index.ts";
import {
  type SocketRequest,
  socketRefusalStatus,
  socketRequestHeader,
} from "../runtime/objects/conversation-object.ts";
import { type Access, assertAccess, type CustomAccess } from "./authentication/access.ts";
import { countObjectCall, type RequestContext } from "./context.ts";

/** Whether the request asks for a WebSocket. */
export const isUpgrade = ({ req }: Pick<RequestContext, "req">): boolean =>
  req.header("upgrade")?.toLowerCase() === "websocket";

/** @throws Refusal VALIDATION_ERROR when the request does not ask for a WebSocket. */
export function assertUpgrade(c: RequestContext): void {
  if (!isUpgrade(c)) throw invalid("upgrade", "must be websocket");
}

/**
 * The access of a route that opens a WebSocket. A caller without access gets a socket that closes
 * with a code, because a browser cannot read the status of a refused upgrade.
 */
export function socketAccess(access: Access, security: CustomAccess["security"]): CustomAccess {
  const inner = assertAccess(access);
  return {
    kind: "custom",
    security,
    responseStore: null,
    async check(c, next) {
      let isAllowed = false;
      try {
        await inner(c, async () => {
          isAllowed = true;
        });
      } catch (error) {
        const code = findRefusal(error)?.code;
        const isAccessRefusal = code === "UNAUTHORIZED" || code === "FORBIDDEN";
        if (!isUpgrade(c) || !isAccessRefusal) throw error;
      }
      if (!isAllowed) return closeUnauthorized(c);
      await next();
    },
  };
}

/** The subprotocol of the socket, and the prefix of the one that carries a session's token. */
const socketProtocol = "duka";
const sessionProtocolPrefix = "duka.session.";

const readSocketProtocols = (c: RequestContext): readonly string[] =>
  (c.req.header("sec-websocket-protocol") ?? "").split(",").map((name) => name.trim());

/**
 * The session's token among the subprotocols of a socket, for pages that keep it outside a cookie
 * (docs/contract/storefront.md#support-socket): a browser's socket can send no other header.
 */
export function readSocketSessionToken(c: RequestContext): string | undefined {
  if (!isUpgrade(c)) return undefined;
  return readSocketProtocols(c)
    .find((name) => name.startsWith(sessionProtocolPrefix))
    ?.slice(sessionProtocolPrefix.length);
}

/** Browsers fail a socket that offered subprotocols unless the response selects one of them. */
const selectedProtocolHeader = (c: RequestContext): Record<string, string> =>
  readSocketProtocols(c).includes(socketProtocol)
    ? { "Sec-WebSocket-Protocol": socketProtocol }
    : {};

/** Opens a socket and closes it with code 4001. */
export const closeUnauthorized = (c: RequestContext): Response =>
  openAndCloseSocket(c, { code: 4001, reason: "not authorised" });

/**
 * Opens a socket, sends an error frame and closes the socket. Used when the shopper or the merchant
 * already has the maximum number of sockets.
 */
function closeTooManySockets(c: RequestContext): Response {
  const message = "This side of the conversation has all the sockets that it may have; close some.";
  const error = { type: "error", code: "RATE_LIMITED", message, client_id: null };
  const lastFrame = JSON.stringify(error);
  return openAndCloseSocket(c, { code: 4009, reason: "too many sockets", lastFrame });
}

function openAndCloseSocket(
  c: RequestContext,
  { code, reason, lastFrame }: Readonly<{ code: number; reason: string; lastFrame?: string }>,
): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  if (lastFrame !== undefined) server.send(lastFrame);
  server.close(code, reason);
  return new Response(null, {
    status: 101,
    webSocket: client,
    headers: selectedProtocolHeader(c),
  });
}

type SocketObject = Readonly<{
  fetch(url: string, init: Readonly<{ headers: Record<string, string> }>): Promise<Response>;
}>;

/** Opens a WebSocket on a Durable Object. The returned response has headers that can be changed. */
export async function openSocket(
  c: RequestContext,
  object: SocketObject,
  request: SocketRequest,
): Promise<Response> {
  const headers = { Upgrade: "websocket", [socketRequestHeader]: JSON.stringify(request) };
  const { status, webSocket } = await countObjectCall(
    c,
    object.fetch("https://object/", { headers }),
  );
  if (status === socketRefusalStatus.full) return closeTooManySockets(c);
  // These headers may include the cookie of a new session.
  const { headers: responseHeaders } = c.body(null, { headers: selectedProtocolHeader(c) });
  return new Response(null, { status, webSocket, headers: responseHeaders });
}
