import { Hono } from "hono/tiny";
import { maxJsonBytes, receiveBody } from "../http/bodies.ts";
import type { AgentApp, AgentEnv } from "./agent-call.ts";
import type { AgentsBindings } from "./env.ts";
import { prepareAgentRequest, requireShop } from "./prepare-request.ts";
import { onAgentError, onUnknownPath } from "./respond.ts";

/** Routes that are imported and mounted with the first request for one of their paths. */
type Section = Readonly<{
  /** The beginning of the paths, after the business's address. */
  path: string;
  mount: (app: AgentApp) => Promise<void>;
}>;

/** The first section whose path is the beginning of a request's path serves it. */
const sections: readonly Section[] = [
  {
    path: "/.well-known/ucp",
    mount: async (app) => (await import("./discovery/routes.ts")).mountDiscovery(app),
  },
  {
    path: "/ucp/mcp",
    mount: async (app) => (await import("./agent-tools/routes.ts")).mountAgentTools(app),
  },
  { path: "/ucp", mount: async (app) => (await import("./rest/routes.ts")).mountRest(app) },
  {
    path: "/.well-known",
    mount: async (app) => (await import("./oauth/routes.ts")).mountOAuthMetadata(app),
  },
  {
    path: "/oauth",
    mount: async (app) => (await import("./oauth/routes.ts")).mountOAuth(app),
  },
];

const bodyLimit = { maxBytes: maxJsonBytes, message: "The body is larger than 1 MiB." };

/** Creates an app with the middleware that every call of an agent passes. */
export function createAgentApp(): AgentApp {
  const app: AgentApp = new Hono<AgentEnv>();
  app.onError(onAgentError);
  app.notFound(onUnknownPath);
  app.use(prepareAgentRequest);
  app.use("/agents/:slug/*", requireShop, receiveBody(bodyLimit));
  return app;
}

const fallbackApp = createAgentApp();
const appBySection = new Map<Section, AgentApp>();

/** Concurrent requests may each build an app, because a shared promise could be cancelled. */
async function loadApp(pathname: string): Promise<AgentApp> {
  const path = pathname.replace(/^\/agents\/[^/]+/, "");
  const section = sections.find((one) => path === one.path || path.startsWith(`${one.path}/`));
  if (!section) return fallbackApp;
  const existing = appBySection.get(section);
  if (existing) return existing;
  const app = createAgentApp();
  await section.mount(app);
  appBySection.set(section, app);
  return app;
}

/** Serves what agents call below a business's address. */
export async function serveAgents(
  request: Request,
  env: AgentsBindings,
  ctx: Pick<ExecutionContext, "waitUntil" | "passThroughOnException" | "props">,
): Promise<Response> {
  const app = await loadApp(new URL(request.url).pathname);
  return app.fetch(request, env, ctx);
}
