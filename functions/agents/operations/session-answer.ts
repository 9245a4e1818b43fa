import type { AgentSession, AgentStage } from "../../../shared/agents/index.ts";
import { findRefusal, type Refusal } from "../../../shared/kernel/index.ts";
import { continueUrlFor } from "../../runtime/hand-over-links.ts";
import type { AgentAnswer, AgentCall } from "../agent-call.ts";
import { getAgentSession } from "../agent-session-calls.ts";
import { loadPaymentHandlers } from "../payment-handlers.ts";
import { errorAnswer } from "../views/error-answer.ts";
import type { MessageView } from "../views/message.ts";
import { viewCart, viewCheckout } from "../views/session.ts";

const capabilities = {
  cart: "dev.ucp.shopping.cart",
  checkout: "dev.ucp.shopping.checkout",
} as const;

type SessionCall = Readonly<{
  stage: AgentStage;
  /** The record that the call names; null for a new one. */
  id: string | null;
  status?: 200 | 201;
}>;

/**
 * Answers with the cart or checkout that `run` results in. A refusal of the model that the protocol
 * has an answer for becomes that answer; every other one is thrown.
 */
export async function answerWithSession(
  call: AgentCall,
  { stage, id, status = 200 }: SessionCall,
  run: () => Promise<AgentSession>,
): Promise<AgentAnswer> {
  try {
    return { status, body: await viewSession(call, stage, await run()) };
  } catch (error) {
    const refusal = findRefusal(error);
    if (!refusal) throw error;
    const answer = await answerRefusal(call, { stage, id }, refusal);
    if (!answer) throw error;
    return answer;
  }
}

async function answerRefusal(
  call: AgentCall,
  { stage, id }: Pick<SessionCall, "stage" | "id">,
  { code, context, message }: Refusal,
): Promise<AgentAnswer | null> {
  if (code === "NOT_FOUND") return sessionNotFound(call, stage);
  if (code !== "BUSINESS_RULE_VIOLATION") return null;
  switch (context?.rule) {
    case "OUT_OF_STOCK":
    case "ITEM_UNAVAILABLE": {
      const content = message;
      const name = context.rule === "OUT_OF_STOCK" ? "out_of_stock" : "item_unavailable";
      const continueUrl = call.shopUrl;
      return errorAnswer(call, capabilities[stage], { code: name, content, continueUrl });
    }
    case "AGENT_SESSION_CLOSED":
      return id === null ? null : answerUnchanged(call, { stage, id }, message);
    default:
      return null;
  }
}

/** The record as it is, with an error that says why it was not changed. */
async function answerUnchanged(
  call: AgentCall,
  { stage, id }: Readonly<{ stage: AgentStage; id: string }>,
  content: string,
): Promise<AgentAnswer> {
  const session = await getAgentSession(call, id, stage);
  const code = `${stage}_closed`;
  const closed: MessageView = { type: "error", code, content, severity: "recoverable" };
  return { status: 200, body: await viewSession(call, stage, session, [closed]) };
}

async function viewSession(
  call: AgentCall,
  stage: AgentStage,
  session: AgentSession,
  messages: readonly MessageView[] = [],
): Promise<object> {
  const { sessionId, expiresAt } = session;
  const continueUrl = await continueUrlFor(call.settings, call.shopUrl, {
    businessId: call.business.id,
    sessionId,
    expiresAt,
  });
  if (stage === "cart") return viewCart(call, session, { continueUrl, messages });
  const handlers = await loadPaymentHandlers(call.http, call.business);
  return viewCheckout(call, session, { handlers, continueUrl, messages });
}

const sessionNotFound = (call: AgentCall, stage: AgentStage): AgentAnswer =>
  errorAnswer(call, capabilities[stage], {
    code: "not_found",
    content: `There is no such ${stage}. It may have expired.`,
    continueUrl: call.shopUrl,
  });
