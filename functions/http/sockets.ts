import { findRefusal, invalid, sha256 } from "../../shared/kernel/index.ts";
import {
  type SocketOpening,
  socketOpeningHeader,
  socketRefusalStatus,
} from "../runtime/objects/conversation-object.ts";
import { type Access, assertAccess, type CustomAccess } from "./authentication/access.ts";
import { countObjectCall, type RequestContext } from "./context.ts";

/** Whether the request asks for a WebSocket. */
const isUpgrade = ({ req }: Pick<RequestContext, "req">): boolean =>
  req.header("upgrade")?.toLowerCase() === "websocket";

/** @throws Refusal VALIDATION_ERROR: the call opens a WebSocket and answers nothing else. */
export function assertUpgrade(c: RequestContext): void {
  if (!isUpgrade(c)) throw invalid("upgrade", "must be websocket");
}

/**
 * The access of a route that opens a socket. A caller without access gets an open socket with a
 * closing code, because a browser cannot read a refused upgrade.
 */
export function socketAccess(access: Access, security: CustomAccess["security"]): CustomAccess {
  const inner = assertAccess(access);
  return {
    kind: "custom",
    security,
    responseStore: null,
    async check(c, next) {
      let isLetIn = false;
      try {
        await inner(c, async () => {
          isLetIn = true;
        });
      } catch (error) {
        const code = findRefusal(error)?.code;
        const isOfCaller = code === "UNAUTHORIZED" || code === "FORBIDDEN";
        if (!isUpgrade(c) || !isOfCaller) throw error;
      }
      if (!isLetIn) return closeUnauthorized();
      await next();
    },
  };
}

/** Opens a socket and closes it with code 4001. */
export const closeUnauthorized = (): Response => openAndCloseSocket(4001, "not authorised");

/** Opens a socket, sends an error frame and closes it: this side has too many sockets already. */
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

/** Opens a socket on an object, and returns its response with headers that can still be written. */
export async function openSocket(
  c: RequestContext,
  object: SocketObject,
  by: SocketOpening["opener"],
  keyText: string,
): Promise<Response> {
  const opening: SocketOpening = { opener: by, keyHash: await sha256(keyText) };
  const headers = { Upgrade: "websocket", [socketOpeningHeader]: JSON.stringify(opening) };
  const { status, webSocket } = await countObjectCall(
    c,
    object.fetch("https://object/", { headers }),
  );
  if (status === socketRefusalStatus.full) return closeTooManySockets();
  const { headers: ofAnswer } = c.body(null); // may hold a new session's cookie
  return new Response(null, { status, webSocket, headers: ofAnswer });
}
