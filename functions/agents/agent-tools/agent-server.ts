import type { Context } from "hono";
import { base64Digest } from "../../../shared/agents/index.ts";
import { canonicalJson, minute } from "../../../shared/kernel/index.ts";
import { version } from "../../runtime/version.ts";
import type { AgentAnswer, AgentCall, AgentEnv } from "../agent-call.ts";
import { readProfileUrl } from "../agent-header.ts";
import type { McpServer, RpcFailure, ToolArguments, ToolResult } from "../mcp/mcp-server.ts";
import { toolResult } from "../mcp/mcp-server.ts";
import { invalidParams } from "../mcp/rpc-error.ts";
import { isRecord } from "../mcp/rpc-message.ts";
import { openAgentCall } from "../open-call.ts";
import type { AgentInput } from "../operations/agent-operation.ts";
import { type AgentToolName, agentOperations } from "../operations/agent-operations.ts";
import { runAgentOperation } from "../operations/run-operation.ts";
import { ProtocolError } from "../protocol-error.ts";
import { reportAgentError } from "../respond.ts";
import { agentTools, isAgentToolName, listAgentTools } from "./agent-tool.ts";

const instructions =
  "A shop that speaks the Universal Commerce Protocol. Search the catalogue, create a cart or a checkout, update it until its status is ready_for_complete, and complete it once the buyer agrees to the totals. Amounts are integers in minor units. Where messages say so, lead the buyer to continue_url. Every call names your profile in meta.";

const listTtlMs = 5 * minute;

/** The protocol's tools of a business (docs/mcp.md#agents). */
export function createAgentServer(c: Context<AgentEnv>, body: Uint8Array<ArrayBuffer>): McpServer {
  const { business } = c.get("shop");
  return {
    info: { name: "duka-shop", title: business.name, version },
    instructions,
    listCaching: { ttlMs: listTtlMs, cacheScope: "public" },
    async listTools(cursor) {
      if (cursor !== null) throw invalidParams("The list has one page; leave cursor out.");
      return { tools: listAgentTools() };
    },
    async callTool(name, input) {
      const operation = isAgentToolName(name) ? agentOperations[name] : undefined;
      if (operation === undefined || !isAgentToolName(name)) return null;
      const call = await openCall(c, { name, input, body });
      return toToolResult(await runAgentOperation(operation, call, toOperationInput(name, input)));
    },
    toRpcError: (error) => toRpcFailure(reportAgentError(error, c)),
  };
}

/** Opens the call with what the input says of its platform, or else the headers of the request. */
async function openCall(
  c: Context<AgentEnv>,
  {
    name,
    input,
    body,
  }: Readonly<{ name: AgentToolName; input: ToolArguments; body: Uint8Array<ArrayBuffer> }>,
): Promise<AgentCall> {
  // A signed call may name its profile and its key in headers alone.
  const { meta = {}, ...payload } = input;
  if (!isRecord(meta)) throw new ProtocolError("invalid_request", "meta must be an object.");
  const agent = isRecord(meta["ucp-agent"]) ? meta["ucp-agent"] : {};
  const profileUrl = singleText("ucp-agent.profile", agent.profile, {
    header: "UCP-Agent",
    sent: readProfileUrl(c.req.header("ucp-agent")),
  });
  const idempotencyKey = singleText("idempotency-key", meta["idempotency-key"], {
    header: "Idempotency-Key",
    sent: c.req.header("idempotency-key") ?? null,
  });
  if (idempotencyKey === null && agentTools[name].needsIdempotencyKey)
    throw new ProtocolError("invalid_request", `meta.idempotency-key is required for ${name}.`);
  const call = await openAgentCall(c, { body, profileUrl, idempotencyKey });
  // A repeated call has another id of JSON-RPC, so its body differs, but not its input.
  const request = new Uint8Array(new TextEncoder().encode(canonicalJson([name, payload])));
  return { ...call, bodyDigest: await base64Digest(request) };
}

/**
 * A text that may be in the input and in a header, which a signature covers. Both must be the same.
 *
 * @throws ProtocolError invalid_request
 */
function singleText(
  field: string,
  inMeta: unknown,
  { header, sent }: Readonly<{ header: string; sent: string | null }>,
): string | null {
  if (inMeta === undefined || inMeta === null) return sent;
  if (typeof inMeta !== "string")
    throw new ProtocolError("invalid_request", `meta.${field} must be a string.`);
  if (sent !== null && sent !== inMeta)
    throw new ProtocolError("invalid_request", `meta.${field} and ${header} must be the same.`);
  return inMeta;
}

/** The record and the payload of a call. @throws ProtocolError invalid_request */
function toOperationInput(name: AgentToolName, input: ToolArguments): AgentInput {
  const { hasId, payload } = agentTools[name];
  const { id } = input;
  if (hasId && (typeof id !== "string" || id === ""))
    throw new ProtocolError("invalid_request", "id is required.");
  const body = payload === null ? {} : input[payload.name];
  if (!isRecord(body))
    throw new ProtocolError("invalid_request", `${payload?.name} is required: an object.`);
  return { id: hasId && typeof id === "string" ? id : null, body };
}

/** Outcomes of the protocol are results. */
const toToolResult = ({ body }: AgentAnswer): ToolResult => toolResult(body);

/** The error of the protocol in JSON-RPC, with its HTTP status. */
export const toRpcFailure = (error: ProtocolError): RpcFailure => ({
  status: error.status,
  headers: {
    ...(error.retryAfterSeconds !== null && { "Retry-After": String(error.retryAfterSeconds) }),
    ...(error.status === 401 && { "WWW-Authenticate": 'Bearer realm="ucp"' }),
  },
  toBody: () => ({ code: error.rpcCode, message: error.message, data: error.toBody() }),
});
