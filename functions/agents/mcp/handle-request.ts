import type { McpServer } from "./mcp-server.ts";
import {
  isHandshakeVersion,
  newestHandshakeVersion,
  type ProtocolVersion,
  statelessVersion,
  supportedVersions,
} from "./protocol-versions.ts";
import { invalidParams, RpcError, rpcCodes } from "./rpc-error.ts";
import { isRecord, type RpcParams, type RpcRequest } from "./rpc-message.ts";

const capabilities = { tools: {} };

/** Runs the method of a request and returns its result. @throws RpcError */
export async function handleRequest(
  server: McpServer,
  { method, params }: RpcRequest,
  version: ProtocolVersion,
): Promise<object> {
  const isStateless = version === statelessVersion;
  switch (method) {
    case "tools/list":
      return completeResult(server, version, await listTools(server, params, version));
    case "tools/call":
      return completeResult(server, version, await callTool(server, params));
    case "initialize":
      if (!isStateless) return initialize(server, params);
      break;
    case "ping":
      if (!isStateless) return {};
      break;
    case "server/discover":
      if (isStateless) return completeResult(server, version, discover(server));
      break;
  }
  throw new RpcError(rpcCodes.methodNotFound, "There is no such method.", {
    // The revision without a handshake tells an unknown method from an unknown address by its body.
    status: isStateless ? 404 : 200,
  });
}

/** The server's part of a handshake. It keeps nothing, so that later requests need none. */
function initialize({ info, instructions }: McpServer, { protocolVersion }: RpcParams): object {
  if (typeof protocolVersion !== "string") throw invalidParams("protocolVersion is required.");
  return {
    protocolVersion: isHandshakeVersion(protocolVersion) ? protocolVersion : newestHandshakeVersion,
    capabilities,
    serverInfo: info,
    instructions,
  };
}

const discover = ({ instructions, listCaching }: McpServer): object => ({
  supportedVersions,
  capabilities,
  instructions,
  ...listCaching,
});

async function listTools(
  server: McpServer,
  { cursor }: RpcParams,
  version: ProtocolVersion,
): Promise<object> {
  if (cursor !== undefined && typeof cursor !== "string")
    throw invalidParams("cursor must be a string.");
  const page = await server.listTools(cursor ?? null);
  return version === statelessVersion ? { ...page, ...server.listCaching } : page;
}

async function callTool(
  server: McpServer,
  { name, arguments: input = {} }: RpcParams,
): Promise<object> {
  if (typeof name !== "string") throw invalidParams("name must be the name of a tool.");
  if (!isRecord(input)) throw invalidParams("arguments must be an object.");
  const result = await server.callTool(name, input);
  if (result === null) throw invalidParams("There is no such tool.");
  return result;
}

/** The result with what the revision without a handshake has in every result. */
const completeResult = ({ info }: McpServer, version: ProtocolVersion, result: object): object =>
  version === statelessVersion
    ? {
        resultType: "complete",
        ...result,
        _meta: { "io.modelcontextprotocol/serverInfo": info },
      }
    : result;
