import { sha256 } from "../../../shared/kernel/index.ts";
import type { Upstream } from "../env.ts";
import { type ToolArguments, type ToolResult, toolError, toolResult } from "../mcp/mcp-server.ts";
import { type ApiAnswer, type ApiCall, addressOf, callBusinessApi } from "./call-business-api.ts";
import {
  type ConfirmedCall,
  confirmationTtlMs,
  createConfirmation,
  isConfirmed,
} from "./confirmation.ts";
import { type MerchantTool, setsFinalStatus } from "./merchant-tool.ts";

/** Who calls, and what the call needs of its surroundings. */
export type MerchantCall = Readonly<{
  businessId: string;
  callerId: string;
  request: Request;
  requestId: string;
  business: Upstream;
  secret: string;
  now: number;
}>;

/**
 * Runs a tool. A call that takes something away is only described at first, and made when it comes
 * again with its confirmation (docs/mcp.md#confirmation).
 */
export async function callMerchantTool(
  call: MerchantCall,
  tool: MerchantTool,
  input: ToolArguments,
): Promise<ToolResult> {
  const problem = findProblem(tool, input);
  if (problem !== null) return toolError(problem);
  const { confirmation, idempotency_key: idempotencyKey, ...fields } = input;
  const address = addressOf(tool, tool.path, fields, call.businessId);
  if ("problem" in address) return toolError(address.problem);
  const apiCall: ApiCall = {
    method: tool.method,
    path: address.path,
    ...(tool.takesBody && { body: fields.body }),
    ...(typeof idempotencyKey === "string" && { idempotencyKey }),
  };
  if (!tool.isAlwaysConfirmed && !setsFinalStatus(fields.body)) return run(call, apiCall);
  const confirmed: ConfirmedCall = {
    businessId: call.businessId,
    callerId: call.callerId,
    tool: tool.tool.name,
    input: fields,
  };
  if (confirmation === undefined) return describe(call, tool, confirmed);
  if (typeof confirmation !== "string" || !(await isConfirmed(confirmed, confirmation, call)))
    return toolError(
      "The confirmation has expired or is for another input. Call without it for a new one.",
    );
  // A repeated call with one confirmation has one key, so that it does not act twice.
  const key = apiCall.idempotencyKey ?? `confirmed-${await sha256(confirmation)}`;
  return run(call, { ...apiCall, idempotencyKey: key });
}

/** What is wrong with the fields of the input; null for what the business API has to check. */
function findProblem({ tool, takesBody }: MerchantTool, input: ToolArguments): string | null {
  const { properties, required }: Readonly<{ properties: object; required: string[] }> = Object(
    tool.inputSchema,
  );
  const unknown = Object.keys(input).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined)
    return `${tool.name} has no field ${unknown.slice(0, 64)}. Its fields are: ${Object.keys(properties).join(", ")}.`;
  const missing = required.find((name) => input[name] === undefined);
  if (missing !== undefined) return `${missing} is required.`;
  if (takesBody && typeof input.body !== "object") return "body must be an object.";
  const key = input.idempotency_key;
  if (key !== undefined && !(typeof key === "string" && /^[\x21-\x7e]{1,255}$/.test(key)))
    return "idempotency_key must have 1 to 255 visible ASCII characters.";
  return null;
}

const run = async (call: MerchantCall, apiCall: ApiCall): Promise<ToolResult> =>
  toToolResult(await callBusinessApi(call.business, call.request, apiCall, call.requestId));

const toToolResult = ({ isSuccess, body, message }: ApiAnswer): ToolResult =>
  isSuccess ? toolResult(body) : toolError(`${message} ${JSON.stringify(body)}`, body);

/** Says what a call would do, with the record that it would change, and how to make it. */
async function describe(
  call: MerchantCall,
  tool: MerchantTool,
  confirmed: ConfirmedCall,
): Promise<ToolResult> {
  const record = await readRecord(call, tool, confirmed.input);
  if (record !== null && !record.isSuccess && record.isMissing) return toToolResult(record);
  const { tool: name, input } = confirmed;
  return toolResult({
    done: false,
    message: `Nothing has happened yet. This call would do the following: ${tool.tool.title}. Ask the user, and call ${name} again with the same input and this confirmation.`,
    input,
    ...(record?.isSuccess && { record: Object(record.body).data }),
    confirmation: await createConfirmation(confirmed, call),
    expires_at: new Date(call.now + confirmationTtlMs).toISOString(),
  });
}

/** The record that the path names, with the caller's own right to read it. */
async function readRecord(
  call: MerchantCall,
  tool: MerchantTool,
  input: ToolArguments,
): Promise<(ApiAnswer & Readonly<{ isMissing: boolean }>) | null> {
  if (tool.recordPath === null) return null;
  const names = tool.pathParameters.filter((name) => tool.recordPath?.includes(`{${name}}`));
  const address = addressOf(
    { ...tool, pathParameters: names, queryParameters: [] },
    tool.recordPath,
    input,
    call.businessId,
  );
  if ("problem" in address) return null;
  const { business, request, requestId } = call;
  const answer = await callBusinessApi(
    business,
    request,
    { method: "GET", path: address.path },
    requestId,
  );
  return { ...answer, isMissing: Object(Object(answer.body).error).code === "NOT_FOUND" };
}
