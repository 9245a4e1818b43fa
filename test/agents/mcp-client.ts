import { exports } from "cloudflare:workers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type ApiResponse, type CallOptions, call } from "../support/world.ts";

/** A client of the Model Context Protocol at an address of the Worker under test. */
export async function connectMcp(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = new Client({ name: "duka-tests", version: "1.0.0" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(path, "https://duka.test"), {
      requestInit: { headers },
      fetch: (url, init) => exports.default.fetch(new Request(url, init)),
    }),
  );
  return client;
}

/** Sends a message as it is, with the header of a version. */
export const postMessage = (
  path: string,
  message: unknown,
  { headers, ...options }: CallOptions = {},
): Promise<ApiResponse> =>
  call("POST", path, {
    body: message,
    ...options,
    headers: { Accept: "application/json", ...headers },
  });

/** A request of JSON-RPC. */
export const rpcRequest = (method: string, params?: object, id: string | number = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params !== undefined && { params }),
});

/** A request of the revision without a handshake, with the headers that it needs. */
export function statelessRequest(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
): Readonly<{ message: object; headers: Record<string, string> }> {
  const version = "2026-07-28";
  const { name } = params;
  return {
    message: rpcRequest(method, {
      ...params,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    }),
    headers: {
      "MCP-Protocol-Version": version,
      "Mcp-Method": method,
      ...(typeof name === "string" && { "Mcp-Name": name }),
    },
  };
}
