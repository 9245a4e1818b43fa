import type {
  AgentCartRequest,
  AgentPayment,
  AgentPlatform,
  AgentSession,
  AgentStage,
} from "../../../shared/agents/index.ts";
import type { Business } from "../../../shared/businesses/index.ts";
import type { Reply } from "./calls.ts";
import type { SentCall } from "./sent-business.ts";
import type { IdempotentRequest } from "./stored-responses.ts";

/** What an order stores of the addresses of both sides. */
export type AgentAddresses = Readonly<{
  /** The address of the business at which the agent buys, without a slash at its end. */
  businessAddress: string;
  /** Where the platform receives the order's events; null when it receives none. */
  webhookUrl: string | null;
}>;

/** The data that every call of an agent's session carries. */
export type AgentObjectCall = Readonly<{
  business: Business;
  requestId: string;
  /** The caller's network, for the limits per address. */
  network: string;
  platform: AgentPlatform;
  addresses: AgentAddresses;
  /** The linked customer on whose behalf the agent acts, and when they allowed it. */
  buyer: Readonly<{ customerId: string; loggedInAt: number }> | null;
  /** The Idempotency-Key with a digest of the body; null without one. */
  idempotent: IdempotentRequest | null;
}>;

export type ReplaceAgentCart = Readonly<{
  stage: AgentStage;
  /** `create` needs an object that stores nothing; `replace` one of this platform. */
  mode: "create" | "replace";
  request: AgentCartRequest;
}>;

export type CompleteAgentCheckout = Readonly<{
  payment: AgentPayment;
  /** The public origin, for the pages of payment providers. */
  origin: string;
  /** Where the payment provider's page leads the buyer back to; null for the order's page. */
  returnUrl: string | null;
}>;

/**
 * The calls of an agent's session and their inputs. Each responds with the session. A session of
 * another platform, business or browser is NOT_FOUND, as one that does not exist.
 *
 * Refusals: NOT_FOUND; BUSINESS_RULE_VIOLATION with `rule` OUT_OF_STOCK or ITEM_UNAVAILABLE when
 * no line of a new cart can be bought, AGENT_SESSION_CLOSED for a change of a session that is
 * canceled, completed or in progress; CONFLICT for a key that was used with another body,
 * retryable while another call runs; VALIDATION_ERROR; SERVICE_UNAVAILABLE.
 */
export type AgentSessionInputs = Readonly<{
  replaceAgentCart: ReplaceAgentCart;
  getAgentSession: Readonly<{ stage: AgentStage }>;
  /** Turns the cart into a checkout. A repeat responds with the same checkout. */
  startAgentCheckout: null;
  cancelAgentSession: Readonly<{ stage: AgentStage }>;
  completeAgentCheckout: CompleteAgentCheckout;
}>;

export type AgentCallName = keyof AgentSessionInputs;

/** What the buyer's browser gets when it takes over an agent's session. */
export type ContinuedSession = Readonly<{
  stage: AgentStage;
  /** For the session's cookie. */
  generation: number;
  ownedSince: number;
  /** Whether the cart can still be changed and ordered; otherwise its order or expiry is shown. */
  state: "open" | "completed" | "canceled";
  itemCount: number;
  buyer: AgentSession["buyer"];
  fulfilment: AgentSession["fulfilment"];
  /** The order and the token of its page, when the state is `completed`. */
  order: Readonly<{ id: string; billToken: string }> | null;
  expiresAt: number;
}>;

/** The RPC methods of a session's object for agents. The object's name is the session's id. */
export type AgentSessionObject = Readonly<{
  runForAgent<N extends AgentCallName>(
    name: N,
    call: SentCall<AgentObjectCall>,
    input: AgentSessionInputs[N],
  ): Promise<Reply<AgentSession>>;
  /** Confirms that the session may be handed over; null when it is no agent's of this business. */
  continueAgentSession(business: Readonly<{ id: string }>): Promise<ContinuedSession | null>;
}>;

export type AgentSessionBinding = Readonly<{ getByName(sessionId: string): AgentSessionObject }>;
