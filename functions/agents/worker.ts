import { Hono } from "hono/tiny";
import { discardUnreadBody } from "../http/discard-body.ts";
import type { AgentsBindings } from "./env.ts";

const app = new Hono<{ Bindings: AgentsBindings }>();

type AgentsApp = typeof import("./agents-app.ts");
let agentsApp: AgentsApp | undefined;

/** The code of calls is loaded with the first one, so that the Worker starts quickly. */
async function loadAgentsApp(): Promise<AgentsApp> {
  agentsApp ??= await import("./agents-app.ts");
  return agentsApp;
}

type Merchants = typeof import("./merchants/merchant-app.ts");
let merchants: Merchants | undefined;

app.get("/agents/healthz", (c) => c.json({ status: "ok" }));
app.all("/mcp", async (c) => {
  merchants ??= await import("./merchants/merchant-app.ts");
  return merchants.merchantApp.fetch(c.req.raw, c.env, c.executionCtx);
});
// RFC 8414 and RFC 9728 put their segment before the path of an issuer, not behind it.
app.get("/.well-known/:document/agents/:slug", async (c) => {
  const { document, slug } = c.req.param();
  const url = new URL(`/agents/${slug}/.well-known/${document}`, c.req.url);
  return (await loadAgentsApp()).serveAgents(new Request(url, c.req.raw), c.env, c.executionCtx);
});
app.all("/agents/:slug/*", async (c) =>
  (await loadAgentsApp()).serveAgents(c.req.raw, c.env, c.executionCtx),
);
app.all("*", (c) => c.json({ error: "not_found" }, 404));

/** What agents call: each business's UCP services, and the tools of merchants (docs/agents.md). */
export default {
  async fetch(request: Request, env: AgentsBindings, ctx: ExecutionContext): Promise<Response> {
    const response = await app.fetch(request, env, ctx);
    await discardUnreadBody(request);
    return response;
  },
};
