import { isDeeperThan, parseJson } from "../../../shared/kernel/index.ts";
import { agreeOnVersion, versionOfHeader } from "./agree-on-version.ts";
import { handleRequest } from "./handle-request.ts";
import type { McpServer, RpcFailure } from "./mcp-server.ts";
import { allowsBatches } from "./protocol-versions.ts";
import { RpcError, rpcCodes } from "./rpc-error.ts";
import { type RpcId, readMessage } from "./rpc-message.ts";

// The transport is written here and not taken from @modelcontextprotocol/sdk: its server refuses
// clients that accept only JSON, builds an object per request, and does not know 2026-07-28.

/** The most messages of one batch, each of which may be a call of a tool. */
const maxBatch = 10;
/** Deeper arguments than those of any tool. */
const maxDepth = 40;

/**
 * Serves the Streamable HTTP transport without sessions (docs/mcp.md#transport): each POST is answered
 * on its own, with JSON, or as a stream for clients that accept nothing else.
 */
export async function serveMcp(request: Request, server: McpServer): Promise<Response> {
  if (request.method !== "POST")
    return new Response(null, { status: 405, headers: { Allow: "POST" } });
  const format = acceptedFormat(request.headers.get("Accept"));
  try {
    if (format === null)
      throw refuse(406, "Accept must include application/json or text/event-stream.");
    if (!/^application\/json\s*(?:;|$)/i.test(request.headers.get("Content-Type") ?? ""))
      throw refuse(415, "Content-Type must be application/json.");
    const reply = await answerBody(request.headers, await readJson(request), server);
    return respond(reply, format);
  } catch (error) {
    return respond(failureReply(null, toFailure(server, error)), "json");
  }
}

type Format = "json" | "stream";

/** What the answer is sent as; null when the client accepts neither. */
function acceptedFormat(accept: string | null): Format | null {
  const types = (accept ?? "*/*")
    .split(",")
    .map((part) => part.split(";")[0]?.trim().toLowerCase());
  if (types.some((type) => ["application/json", "application/*", "*/*"].includes(type ?? "")))
    return "json";
  return types.some((type) => ["text/event-stream", "text/*"].includes(type ?? ""))
    ? "stream"
    : null;
}

const refuse = (status: number, message: string): RpcError =>
  new RpcError(rpcCodes.invalidRequest, message, { status });

/** @throws RpcError when the body is no JSON. */
async function readJson(request: Request): Promise<unknown> {
  const body = parseJson(await request.text());
  if (body === undefined)
    throw new RpcError(rpcCodes.parseError, "The body is not JSON.", { status: 400 });
  if (isDeeperThan(maxDepth, body)) throw refuse(400, "The body is nested too deeply.");
  return body;
}

/** An answer with its HTTP status. Without a body when the client sent nothing to answer. */
type Reply = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  body: object | null;
}>;

const nothingToAnswer: Reply = { status: 202, headers: {}, body: null };

async function answerBody(headers: Headers, body: unknown, server: McpServer): Promise<Reply> {
  if (!Array.isArray(body)) return answerMessage(headers, body, server);
  if (!allowsBatches(versionOfHeader(headers.get("MCP-Protocol-Version"))))
    throw refuse(400, "This version has no batches; send each message on its own.");
  if (body.length === 0 || body.length > maxBatch)
    throw refuse(400, `A batch must have 1 to ${maxBatch} messages.`);
  const answers: object[] = [];
  // One after the other, because a call may depend on the one before it.
  for (const message of body) {
    const { body: answer } = await answerMessage(headers, message, server, { isInBatch: true });
    if (answer !== null) answers.push(answer);
  }
  return answers.length === 0 ? nothingToAnswer : { status: 200, headers: {}, body: answers };
}

/** Answers one message. An error is an answer too, so that the rest of a batch still runs. */
async function answerMessage(
  headers: Headers,
  value: unknown,
  server: McpServer,
  { isInBatch = false }: Readonly<{ isInBatch?: boolean }> = {},
): Promise<Reply> {
  const message = readMessage(value);
  if (message.type === "notification" || message.type === "response") return nothingToAnswer;
  const { id } = message;
  try {
    if (message.type === "invalid") throw message.error;
    if (isInBatch && message.method === "initialize")
      throw refuse(400, "initialize must not be part of a batch.");
    const version = agreeOnVersion(message, headers);
    const result = await handleRequest(server, message, version);
    return { status: 200, headers: {}, body: { jsonrpc: "2.0", id, result } };
  } catch (error) {
    return failureReply(id, toFailure(server, error));
  }
}

const toFailure = (server: McpServer, error: unknown): RpcFailure =>
  error instanceof RpcError ? error : server.toRpcError(error);

/** An error that belongs to no request has no id. */
const failureReply = (id: RpcId | null, failure: RpcFailure): Reply => ({
  status: failure.status,
  headers: failure.headers,
  body: { jsonrpc: "2.0", ...(id !== null && { id }), error: failure.toBody() },
});

function respond({ status, headers, body }: Reply, format: Format): Response {
  if (body === null) return new Response(null, { status, headers });
  const text = JSON.stringify(body);
  if (format === "json" || status !== 200)
    return new Response(text, {
      status,
      headers: { ...headers, "Content-Type": "application/json" },
    });
  return new Response(`event: message\ndata: ${text}\n\n`, {
    status,
    headers: { ...headers, "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" },
  });
}
