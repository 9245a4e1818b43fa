import type { Context } from "hono";
import type { AgentApp, AgentEnv } from "../agent-call.ts";
import { openHttpCall } from "../open-call.ts";
import { type AgentToolName, agentOperations } from "../operations/agent-operations.ts";
import { runAgentOperation } from "../operations/run-operation.ts";
import { ProtocolError } from "../protocol-error.ts";

type RestMethod = "GET" | "POST" | "PUT";

/** The paths below a business's REST address, and the operation of each method. */
const paths: Readonly<Record<string, Partial<Record<RestMethod, AgentToolName>>>> = {
  "/catalog/search": { POST: "search_catalog" },
  "/catalog/lookup": { POST: "lookup_catalog" },
  "/catalog/product": { POST: "get_product" },
  "/carts": { POST: "create_cart" },
  "/carts/:id": { GET: "get_cart", PUT: "update_cart" },
  "/carts/:id/cancel": { POST: "cancel_cart" },
  "/checkout-sessions": { POST: "create_checkout" },
  "/checkout-sessions/:id": { GET: "get_checkout", PUT: "update_checkout" },
  "/checkout-sessions/:id/complete": { POST: "complete_checkout" },
  "/checkout-sessions/:id/cancel": { POST: "cancel_checkout" },
  "/orders/:id": { GET: "get_order" },
};

/** Mounts the protocol over REST (docs/agents.md#rest). Both releases have the same paths. */
export function mountRest(app: AgentApp): void {
  for (const [path, operations] of Object.entries(paths))
    app.all(`/agents/:slug/ucp${path}`, (c) => respond(c, operations));
}

async function respond(
  c: Context<AgentEnv>,
  operations: Partial<Record<RestMethod, AgentToolName>>,
): Promise<Response> {
  const name = Object.entries(operations).find(([method]) => method === c.req.method)?.[1];
  if (name === undefined) {
    const allowed = Object.keys(operations).join(", ");
    c.header("Allow", allowed);
    throw new ProtocolError("method_not_allowed", `This path takes ${allowed}.`);
  }
  const operation = agentOperations[name];
  if (!operation) throw new ProtocolError("not_found", "No such call.");
  const { call, body: bytes } = await openHttpCall(c);
  const body = c.req.method === "GET" ? {} : parseJson(bytes);
  const answer = await runAgentOperation(operation, call, { id: c.req.param("id") ?? null, body });
  return c.json(answer.body, answer.status);
}

/** The body as an object; an empty one when nothing was sent. */
function parseJson(bytes: Uint8Array<ArrayBuffer>): object {
  if (bytes.length === 0) return {};
  const body = parseJsonOrNull(bytes);
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
  throw new ProtocolError("invalid_request", "The body must be a JSON object.");
}

function parseJsonOrNull(bytes: Uint8Array<ArrayBuffer>): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    return null;
  }
}
