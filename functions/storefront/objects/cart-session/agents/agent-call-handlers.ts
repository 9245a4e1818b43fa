import type { AgentSession } from "../../../../../shared/agents/index.ts";
import type {
  AgentCallName,
  AgentObjectCall,
  AgentSessionInputs,
} from "../../../../runtime/objects/agent-session-object.ts";
import type { Reply } from "../../../../runtime/objects/calls.ts";
import type { Session } from "../session.ts";
import { getAgentSession, replaceAgentCart, startAgentCheckout } from "./agent-calls.ts";
import { cancelAgentSession, completeAgentCheckout } from "./end-agent-checkout.ts";

type AgentCallHandlers = {
  readonly [N in AgentCallName]: (
    session: Session,
    call: AgentObjectCall,
    input: AgentSessionInputs[N],
  ) => Promise<Reply<AgentSession>>;
};

const handlers: AgentCallHandlers = {
  replaceAgentCart,
  getAgentSession,
  startAgentCheckout,
  cancelAgentSession,
  completeAgentCheckout,
};

/** Returns the handler of a call with the types of that call. */
export const agentCallHandler = <N extends AgentCallName>(name: N): AgentCallHandlers[N] =>
  handlers[name];
