import type { Context } from "hono";
import type { AgentApp, AgentEnv } from "../agent-call.ts";
import { hasOwnOrigin } from "../mcp/origin-check.ts";
import { serveMcp } from "../mcp/serve-mcp.ts";
import { ProtocolError } from "../protocol-error.ts";
import { reportAgentError } from "../respond.ts";
import { createAgentServer, toRpcFailure } from "./agent-server.ts";

const path = "/agents/:slug/ucp/mcp";

/** Mounts the protocol's tools of a business (docs/mcp.md#agents). */
export function mountAgentTools(app: AgentApp): void {
  app.onError((error, c) => respondWithRpcError(c, error));
  app.all(path, async (c) => {
    assertOrigin(c);
    const body = new Uint8Array(await c.req.arrayBuffer());
    const { method, url, headers } = c.req.raw;
    const request = new Request(url, { method, headers, ...(method === "POST" && { body }) });
    return serveMcp(request, createAgentServer(c, body));
  });
}

/** Agents that run in a browser are let in where the business allows their pages. */
function assertOrigin(c: Context<AgentEnv>): void {
  const origin = c.req.header("origin");
  if (hasOwnOrigin(c.req.raw, c.get("settings").publicUrl) || origin === undefined) return;
  if (c.get("shop").business.settings.allowedOrigins.includes(origin)) return;
  throw new ProtocolError("forbidden", `The origin ${origin} is not among allowed_origins.`);
}

/** An error before the tools were reached belongs to no request of JSON-RPC. */
function respondWithRpcError(c: Context<AgentEnv>, error: unknown): Response {
  const { status, headers, toBody } = toRpcFailure(reportAgentError(error, c));
  return new Response(JSON.stringify({ jsonrpc: "2.0", error: toBody() }), {
    status,
    headers: { ...headers, "Content-Type": "application/json" },
  });
}
