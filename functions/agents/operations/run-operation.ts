import type { AgentAnswer, AgentCall } from "../agent-call.ts";
import type { AgentInput, AgentOperation, RunAgentOperation } from "./agent-operation.ts";

/** The operations that were loaded. Later calls import nothing, and wait for no other request. */
const loaded = new Map<AgentOperation, RunAgentOperation>();

/** Runs an operation when both sides have its capability, over any transport. */
export async function runAgentOperation(
  operation: AgentOperation,
  call: AgentCall,
  input: AgentInput,
): Promise<AgentAnswer> {
  const { capability } = operation;
  if (!call.capabilities.has(capability)) return incompatible(call, capability);
  const run = loaded.get(operation) ?? (await operation.load());
  loaded.set(operation, run);
  return run(call, input);
}

/** Negotiation that fails is an answer and no error (docs/agents.md#negotiation). */
const incompatible = ({ release, shopUrl }: AgentCall, capability: string): AgentAnswer => ({
  status: 200,
  body: {
    ucp: { version: release, status: "error", capabilities: {} },
    messages: [
      {
        type: "error",
        code: "capabilities_incompatible",
        content: `Your profile does not declare ${capability} in version ${release}.`,
        severity: "unrecoverable",
      },
    ],
    continue_url: shopUrl,
  },
});
