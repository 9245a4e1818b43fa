import {
  type AgentCartRequest,
  type AgentSession,
  type AgentStage,
  sessionIdOf,
} from "../../shared/agents/index.ts";
import { deriveId, notFound } from "../../shared/kernel/index.ts";
import { callObject } from "../http/context.ts";
import { callerNetwork } from "../http/rate-limits/rate-limit.ts";
import type {
  AgentCallName,
  AgentObjectCall,
  AgentSessionInputs,
  CompleteAgentCheckout,
} from "../runtime/objects/agent-session-object.ts";
import { type SentCall, toSentBusiness } from "../runtime/objects/sent-business.ts";
import { runtime } from "../runtime/runtime.ts";
import type { AgentCall } from "./agent-call.ts";

/**
 * Creates a cart or a checkout. Its id follows from the Idempotency-Key, so that a repeated request
 * finds the object that stores its response.
 *
 * @throws Refusal as `AgentSessionInputs` describes.
 */
export const createAgentSession = async (
  call: AgentCall,
  input: Readonly<{ stage: AgentStage; request: AgentCartRequest }>,
): Promise<AgentSession> =>
  runInSession(call, await newSessionId(call, input.stage), "replaceAgentCart", {
    ...input,
    mode: "create",
  });

/** Replaces a cart or a checkout as a whole. */
export const replaceAgentSession = (
  call: AgentCall,
  id: string,
  input: Readonly<{ stage: AgentStage; request: AgentCartRequest }>,
): Promise<AgentSession> =>
  runInSession(call, requireSessionId(id, input.stage), "replaceAgentCart", {
    ...input,
    mode: "replace",
  });

export const getAgentSession = (
  call: AgentCall,
  id: string,
  stage: AgentStage,
): Promise<AgentSession> =>
  runInSession(call, requireSessionId(id, stage), "getAgentSession", { stage });

/** Turns a cart into a checkout; a repeat responds with the same checkout. */
export const startAgentCheckout = (call: AgentCall, cartId: string): Promise<AgentSession> =>
  runInSession(call, requireSessionId(cartId, "cart"), "startAgentCheckout", null);

export const cancelAgentSession = (
  call: AgentCall,
  id: string,
  stage: AgentStage,
): Promise<AgentSession> =>
  runInSession(call, requireSessionId(id, stage), "cancelAgentSession", { stage });

export const completeAgentCheckout = (
  call: AgentCall,
  checkoutId: string,
  input: Pick<CompleteAgentCheckout, "payment" | "returnUrl">,
): Promise<AgentSession> =>
  runInSession(call, requireSessionId(checkoutId, "checkout"), "completeAgentCheckout", {
    ...input,
    origin: new URL(call.http.req.url).origin,
  });

function requireSessionId(id: string, stage: AgentStage): string {
  const sessionId = sessionIdOf(id, stage);
  if (sessionId === null) throw notFound(stage);
  return sessionId;
}

async function newSessionId(
  { business, platform, idempotencyKey, settings }: AgentCall,
  stage: AgentStage,
): Promise<string> {
  if (idempotencyKey === null) return runtime.newId("ses");
  const request = ["agent", business.id, platform.profileUrl, stage, idempotencyKey];
  return deriveId("ses", settings.sessionSecret, JSON.stringify(request));
}

function runInSession<N extends AgentCallName>(
  call: AgentCall,
  sessionId: string,
  name: N,
  input: AgentSessionInputs[N],
): Promise<AgentSession> {
  const object = call.http.env.CART_SESSION.getByName(sessionId);
  return callObject(call.http, object.runForAgent(name, toObjectCall(call, name), input));
}

function toObjectCall(call: AgentCall, name: AgentCallName): SentCall<AgentObjectCall> {
  const { business, requestId, platform, buyer, idempotencyKey: key, bodyDigest } = call;
  return {
    business: toSentBusiness(business),
    requestId,
    network: callerNetwork(call.http),
    platform: { profileUrl: platform.profileUrl, release: platform.release },
    addresses: { businessAddress: call.address, webhookUrl: platform.orderWebhookUrl },
    buyer: buyer && { customerId: buyer.customerId, loggedInAt: buyer.linkedAt },
    idempotent: key === null ? null : { route: `agent ${name}`, key, fingerprint: bodyDigest },
  };
}
