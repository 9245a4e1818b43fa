import type { Context } from "hono";
import { stackOf } from "../../shared/kernel/index.ts";
import { routePathOf } from "../http/request-log.ts";
import { log } from "../runtime/log.ts";
import type { AgentEnv } from "./agent-call.ts";
import { ProtocolError, toProtocolError } from "./protocol-error.ts";

/** The error that a caller sees for anything that was thrown. What nobody expects is logged. */
export function reportAgentError(error: unknown, c: Context<AgentEnv>): ProtocolError {
  const known = toProtocolError(error);
  if (known) return known;
  log("error", "request failed", {
    request_id: c.get("requestId"),
    route: routePathOf(c),
    stack: stackOf(error),
  });
  return new ProtocolError("internal_error", "Something failed on our side; try again.", {
    retryAfterSeconds: 1,
  });
}

/** Responds with an error over HTTP (docs/agents.md#errors). */
function respondWithProtocolError(c: Context<AgentEnv>, error: ProtocolError): Response {
  if (error.retryAfterSeconds !== null) c.header("Retry-After", String(error.retryAfterSeconds));
  if (error.challenge !== null) c.header("WWW-Authenticate", error.challenge);
  else if (error.status === 401) c.header("WWW-Authenticate", 'Bearer realm="ucp"');
  return c.json(error.toBody(), error.status);
}

export const onAgentError = (error: Error, c: Context<AgentEnv>): Response =>
  respondWithProtocolError(c, reportAgentError(error, c));

export const onUnknownPath = (c: Context<AgentEnv>): Response =>
  respondWithProtocolError(c, new ProtocolError("not_found", "No such call."));
