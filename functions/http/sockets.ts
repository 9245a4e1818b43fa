import { findRefusal, invalid } from "../../shared/kernel/index.ts";
import {
  type SocketRequest,
  socketRefusalStatus,
  socketRequestHeader,
} from "../runtime/objects/conversation-object.ts";
import { type Access, assertAccess, type CustomAccess } from "./authentication/access.ts";
import { countObjectCall, type RequestContext } from "./context.ts";

/** Whether the request asks for a WebSocket. */
const isUpgrade = ({ req }: Pick<RequestContext, "req">): boolean =>
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
      if (!isAllowed) return closeUnauthorized();
      await next();
    },
  };
}

/** Opens a socket and closes it with code 4001. */
export const closeUnauthorized = (): Response => openAndCloseSocket(4001, "not authorised");

/**
 * Opens a socket, sends an error frame and closes the socket. Used when the shopper or the merchant
 * already has the maximum number of sockets.
 */
function closeTooManySockets(): Response {
  const message = "This side of the conversation has all the sockets that it may have; close some.";
  const error = { type: "error", code: "RATE_LIMITED", message, client_id: null };
  return openAndCloseSocket(4009, "too many sockets", JSON.stringify(error));
}

function openAndCloseSocket(code: number, reason: string, lastFrame?: string): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  if (lastFrame !== undefined) server.send(lastFrame);
  server.close(code, reason);
  return new Response(null, { status: 101, webSocket: client });
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
  if (status === socketRefusalStatus.full) return closeTooManySockets();
  // These headers may include the cookie of a new session.
  const { headers: responseHeaders } = c.body(null);
  return new Response(null, { status, webSocket, headers: responseHeaders });
}
