import type { CapabilityName } from "../../../shared/agents/index.ts";
import type { AgentAnswer, AgentCall } from "../agent-call.ts";
import { viewUcp } from "./ucp.ts";

/** An answer without a record, because there is none that the caller can act on. */
export const errorAnswer = (
  call: AgentCall,
  root: CapabilityName,
  {
    status = 200,
    continueUrl,
    ...error
  }: Readonly<{ status?: 200 | 404; code: string; content: string; continueUrl?: string }>,
): AgentAnswer => ({
  status,
  body: {
    ucp: viewUcp(call, root, "error"),
    messages: [{ type: "error", ...error, severity: "unrecoverable" }],
    ...(continueUrl !== undefined && { continue_url: continueUrl }),
  },
});
