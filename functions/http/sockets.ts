import { invalid, refusalIn, sha256 } from "../../shared/kernel/index.ts";
import {
  openingHeader,
  refusedOpening,
  type SocketOpening,
} from "../runtime/objects/conversation-object.ts";
import type { RequestContext } from "./api-env.ts";
import { type Access, demand, type OwnAccess } from "./authentication/access.ts";
import { counted } from "./object-calls.ts";

/** Whether the request asks for a WebSocket. */
const isUpgrade = ({ req }: Pick<RequestContext, "req">): boolean =>
  req.header("upgrade")?.toLowerCase() === "websocket";

/** @throws Refusal VALIDATION_ERROR: the call opens a WebSocket and answers nothing else. */
export function demandUpgrade(c: RequestContext): void {
  if (!isUpgrade(c)) throw invalid("upgrade", "must be websocket");
}

/**
 * A row's access for a call that opens a socket. Whom it does not let in is told on an open socket,
 * since a browser cannot read a refused upgrade (completions.md 10).
 */
export function socketAccess(access: Access, security: OwnAccess["security"]): OwnAccess {
  const inner = demand(access);
  return {
    kind: "own",
    security,
    answersOf: null,
    async demand(c, next) {
      let isLetIn = false;
      try {
        await inner(c, async () => {
          isLetIn = true;
        });
      } catch (error) {
        const code = refusalIn(error)?.code;
        const isOfCaller = code === "UNAUTHORIZED" || code === "FORBIDDEN";
        if (!isUpgrade(c) || !isOfCaller) throw error;
      }
      if (!isLetIn) return notAuthorised();
      await next();
    },
  };
}

/** An open socket that is closed at once. */
export const notAuthorised = (): Response => closedSocket(4001, "not authorised");

/** As `notAuthorised`, for one more than a side of a conversation may have; an error frame says so. */
function tooMany(): Response {
  const message = "This side of the conversation has all the sockets that it may have; close some.";
  const error = { type: "error", code: "RATE_LIMITED", message, client_id: null };
  return closedSocket(4009, "too many sockets", JSON.stringify(error));
}

function closedSocket(code: number, reason: string, lastFrame?: string): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  if (lastFrame !== undefined) server.send(lastFrame);
  server.close(code, reason);
  return new Response(null, { status: 101, webSocket: client });
}

type Sockets = Readonly<{
  fetch(url: string, init: Readonly<{ headers: Record<string, string> }>): Promise<Response>;
}>;

/** Asks an object for a socket. What it answers is passed on with headers that can be written to. */
export async function openSocket(
  c: RequestContext,
  object: Sockets,
  by: SocketOpening["by"],
  keyText: string,
): Promise<Response> {
  const opening: SocketOpening = { by, keyHash: await sha256(keyText) };
  const headers = { Upgrade: "websocket", [openingHeader]: JSON.stringify(opening) };
  const { status, webSocket } = await counted(c, object.fetch("https://object/", { headers }));
  if (status === refusedOpening.full) return tooMany();
  const { headers: ofAnswer } = c.body(null); // a new session's cookie
  return new Response(null, { status, webSocket, headers: ofAnswer });
}
