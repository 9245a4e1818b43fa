import type { CapabilityName } from "../../../shared/agents/index.ts";
import type { AgentAnswer, AgentCall } from "../agent-call.ts";
import { viewUcp } from "./ucp.ts";

/** An answer without a record, because there is none that the caller can act on. */
export const errorAnswer = (
  call: AgentCall,
  root: CapabilityName,
  { continueUrl, ...error }: Readonly<{ code: string; content: string; continueUrl?: string }>,
): AgentAnswer => ({
  status: 200,
  body: {
    ucp: viewUcp(call, root, "error"),
    messages: [{ type: "error", ...error, severity: "unrecoverable" }],
    ...(continueUrl !== undefined && { continue_url: continueUrl }),
  },
});
