import { RpcError, rpcCodes } from "./rpc-error.ts";

export type RpcId = string | number;
export type RpcParams = Readonly<Record<string, unknown>>;

export type RpcRequest = Readonly<{
  type: "request";
  id: RpcId;
  method: string;
  params: RpcParams;
}>;

/** A message of a client. A notification and a response get no answer. */
export type RpcMessage =
  | RpcRequest
  | Readonly<{ type: "notification" }>
  | Readonly<{ type: "response" }>
  | Readonly<{ type: "invalid"; id: RpcId | null; error: RpcError }>;

export const isRecord = (value: unknown): value is RpcParams =>
  value !== null && typeof value === "object" && !Array.isArray(value);

const isId = (value: unknown): value is RpcId =>
  typeof value === "string" || Number.isSafeInteger(value);

/** Reads one message of a body. Reports what is wrong with it, with its id where it has one. */
export function readMessage(value: unknown): RpcMessage {
  if (!isRecord(value)) return invalidMessage(null, "A message must be an object.");
  const { jsonrpc, id, method, params } = value;
  const knownId = isId(id) ? id : null;
  if (jsonrpc !== "2.0") return invalidMessage(knownId, 'jsonrpc must be "2.0".');
  if (method === undefined && ("result" in value || "error" in value)) return { type: "response" };
  if (typeof method !== "string") return invalidMessage(knownId, "method must be a string.");
  if (params !== undefined && !isRecord(params))
    return invalidMessage(knownId, "params must be an object.", rpcCodes.invalidParams);
  if (!("id" in value)) return { type: "notification" };
  if (knownId === null) return invalidMessage(null, "id must be a string or an integer.");
  return { type: "request", id: knownId, method, params: params ?? {} };
}

const invalidMessage = (
  id: RpcId | null,
  problem: string,
  code: number = rpcCodes.invalidRequest,
): RpcMessage => ({ type: "invalid", id, error: new RpcError(code, problem, { status: 400 }) });
