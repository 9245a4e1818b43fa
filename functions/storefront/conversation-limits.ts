import { hour } from "../../shared/kernel/index.ts";
import { type RequestContext, requireKey } from "../http/context.ts";
import type { Limit } from "../http/rate-limits/limit-state.ts";
import { networkCounter } from "../http/rate-limits/network-counter.ts";
import { callerNetwork } from "../http/rate-limits/rate-limit.ts";
import { isUpgrade } from "../http/sockets.ts";
import { supportSocketPath } from "./env.ts";
import { readSessionToken } from "./session-token.ts";

/** How many conversations of anonymous sessions a network may create in an hour. */
export const conversationLimit = (c: RequestContext): Limit =>
  limitOfNetwork(c, "conversations", 30);

/** How many sockets of anonymous sessions a network may open in an hour. */
export const socketLimit = (c: RequestContext): Limit => limitOfNetwork(c, "sockets", 60);

function limitOfNetwork(c: RequestContext, what: string, limit: number): Limit {
  const [businessId, network] = [requireKey(c).business.id, callerNetwork(c)];
  return {
    name: `${what}:${businessId}:${network}`,
    limit,
    windowMs: hour,
    counter: networkCounter(businessId, network, what),
  };
}

/**
 * The limits that the route of a call will take: of a call without a session's token that opens a
 * conversation or its socket.
 */
export function limitsOfOpening(c: RequestContext): readonly Limit[] {
  if (!c.req.path.includes("/support/conversation")) return [];
  if (readSessionToken(c) !== undefined) return [];
  if (c.req.method === "POST") return [conversationLimit(c)];
  const opensSocket = isUpgrade(c) && c.req.path.endsWith(supportSocketPath);
  return opensSocket ? [socketLimit(c), conversationLimit(c)] : [];
}
