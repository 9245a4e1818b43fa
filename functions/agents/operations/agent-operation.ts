import type { CapabilityName } from "../../../shared/agents/index.ts";
import type { AgentAnswer, AgentCall } from "../agent-call.ts";

/**
 * What a caller sent. `id` names the record of the path; `body` is the JSON that was sent about it,
 * which no schema has checked yet, and `{}` when nothing was sent.
 */
export type AgentInput = Readonly<{ id: string | null; body: unknown }>;

export type RunAgentOperation = (call: AgentCall, input: AgentInput) => Promise<AgentAnswer>;

export type AgentOperation = Readonly<{
  /** The capability that both sides must have. */
  capability: CapabilityName;
  /** Whether the call changes something, so that a repeated call must have the same effect. */
  isWrite: boolean;
  /** Imports the operation when it is first called. */
  load: () => Promise<RunAgentOperation>;
}>;
