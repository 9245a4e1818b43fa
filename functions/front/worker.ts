import { discardUnreadBody } from "../http/discard-body.ts";
import { serveConsole } from "./console.ts";
import { serveShopDomain, type Upstream, withoutShopDomain } from "./shop-domains.ts";

type FrontEnv = Readonly<{
  STOREFRONT: Upstream;
  PAGES: Upstream;
  LINK: Upstream;
  BUSINESS: Upstream;
  AGENTS: Upstream;
  BACKGROUND: Readonly<{ runJobs(): Promise<void> }>;
  /** The static files of `site/`. */
  ASSETS: Upstream;
  /** The public origin of the deployment. */
  PUBLIC_URL?: string;
  /** The base URL of merchants' assets, when they have a host of their own. */
  CDN_URL?: string;
  /** Where the keys of the demo shops are. `npm run dev` sets it, and no deployment. */
  DEMO_KEYS_URL?: string;
  /** Where messages are kept instead of being sent. `npm run dev` sets it, and no deployment. */
  MAILBOX_URL?: string;
}>;

/**
 * The public address of the service. Passes each request to the Worker that serves its path, also
 * WebSockets and streams. Most static files of `site/` do not reach this code.
 */
export default {
  async fetch(
    request: Request,
    env: FrontEnv,
    ctx: Pick<ExecutionContext, "waitUntil">,
  ): Promise<Response> {
    const response =
      (await serveShopDomain(request, env, (work) => ctx.waitUntil(work))) ??
      (await serveDeployment(request, env));
    await discardUnreadBody(request);
    return response;
  },
  /**
   * Passes cron to the background Worker. Only used in development, where cron triggers no other
   * Worker than this one.
   */
  async scheduled(_controller: ScheduledController, env: FrontEnv): Promise<void> {
    await env.BACKGROUND.runJobs();
  },
} satisfies ExportedHandler<FrontEnv>;

/** Serves a host of the deployment itself. */
function serveDeployment(request: Request, env: FrontEnv): Response | Promise<Response> {
  const { pathname, origin } = new URL(request.url);
  if (isOriginOf(env.CDN_URL, origin) && !pathname.startsWith("/assets/"))
    return new Response(null, { status: 404 });
  if (pathname === "/") return serveHome(request, env);
  if (pathname === "/docs") return serveReference(request, env);
  if (env.MAILBOX_URL !== undefined && startsWith(pathname, "/dev/messages"))
    return serveMailbox(request, env.MAILBOX_URL);
  if (startsWith(pathname, "/console")) return serveConsole(request, env);
  if (startsWith(pathname, "/v1/businesses")) return env.BUSINESS.fetch(request);
  if (startsWith(pathname, "/v1/organizations")) return env.BUSINESS.fetch(request);
  if (startsWith(pathname, "/v1/console")) return env.BUSINESS.fetch(request);
  if (startsWith(pathname, "/v1/operator")) return env.BUSINESS.fetch(request);
  if (startsWith(pathname, "/v1/link")) return env.LINK.fetch(request);
  if (["/shop", "/orders", "/pay"].some((prefix) => startsWith(pathname, prefix)))
    return env.PAGES.fetch(withoutShopDomain(request));
  if (["/agents", "/mcp"].some((prefix) => startsWith(pathname, prefix)) || isMetadata(pathname))
    return env.AGENTS.fetch(withoutShopDomain(request));
  return env.STOREFRONT.fetch(request);
}

/** The metadata of an issuer below `/agents`: RFC 8414 and RFC 9728 put their segment before its path. */
const isMetadata = (path: string): boolean =>
  /^\/\.well-known\/oauth-(?:authorization-server|protected-resource)\/agents\//.test(path);

const startsWith = (path: string, prefix: string) =>
  path === prefix || path.startsWith(`${prefix}/`);

const isOriginOf = (url: string | undefined, origin: string): boolean =>
  url !== undefined && URL.parse(url)?.origin === origin;

/** Serves the front page. Only development has the demo shops that it leads to. */
async function serveHome(request: Request, env: FrontEnv): Promise<Response> {
  const page = await env.ASSETS.fetch(request);
  if (env.DEMO_KEYS_URL !== undefined) return page;
  const response = new HTMLRewriter()
    .on("#demo-shops", { element: (section) => void section.remove() })
    .transform(page);
  response.headers.delete("ETag"); // it is that of the whole file
  return response;
}

/**
 * Serves the API reference. Its policy names a path, which 'self' cannot: scripts that merchants
 * uploaded to this host must not run beside the keys that developers enter.
 */
async function serveReference(request: Request, env: FrontEnv): Promise<Response> {
  const { origin, hostname } = new URL(request.url);
  const demo = isLoopback(hostname) ? await loadDemo(env) : null;
  const page = demo === null ? await env.ASSETS.fetch(request) : await loadPage(request, env, demo);
  const own = `${origin}/reference/`;
  const response = new Response(page.body, page);
  response.headers.set(
    "Content-Security-Policy",
    `default-src 'none'; script-src ${own}; style-src ${own} 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  return response;
}

/** Serves the messages of development to this computer; no page of theirs may load anything. */
async function serveMailbox(request: Request, mailboxUrl: string): Promise<Response> {
  const { hostname, pathname } = new URL(request.url);
  if (!isLoopback(hostname)) return new Response(null, { status: 404 });
  const accept = request.headers.get("Accept") ?? "text/html";
  const url = mailboxUrl + pathname.slice("/dev/messages".length);
  const response = await fetch(url, { headers: { Accept: accept } }).catch(() => null);
  if (!response) return new Response(null, { status: 404 });
  return new Response(response.body, {
    status: response.status,
    headers: {
      "Content-Type": response.headers.get("Content-Type") ?? "text/plain",
      "Content-Security-Policy":
        "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'self'",
      "Cache-Control": "no-store",
    },
  });
}

/** Whether only programs of this computer reach the host, so that no other site's name leads to it. */
const isLoopback = (hostname: string): boolean =>
  ["localhost", "127.0.0.1", "[::1]"].includes(hostname);

/** The keys of the demo shops as JSON; null in a deployment, and before the shops are seeded. */
async function loadDemo({ DEMO_KEYS_URL: url }: FrontEnv): Promise<string | null> {
  if (url === undefined) return null;
  const response = await fetch(url).catch(() => null);
  return response?.ok ? response.text() : null;
}

/** The page with the demo shops. Its file's ETag does not cover them, so it is not cached. */
async function loadPage({ url }: Request, { ASSETS }: FrontEnv, demo: string): Promise<Response> {
  const file = await ASSETS.fetch(new Request(url));
  const page = new HTMLRewriter()
    .on("#reference", { element: (main) => void main.setAttribute("data-demo", demo) })
    .transform(file);
  const response = new Response(page.body, page);
  response.headers.delete("ETag");
  response.headers.set("Cache-Control", "no-store");
  return response;
}
