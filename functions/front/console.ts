type ConsoleEnv = Readonly<{
  /** The static files of `site/`. */
  ASSETS: Readonly<{ fetch(request: Request): Response | Promise<Response> }>;
  /** The base URL of merchants' assets, when they have a host of their own. */
  CDN_URL?: string;
}>;

/**
 * Serves the console's only page under each of its addresses. Its policy names the path of its
 * files, which 'self' cannot: scripts that merchants uploaded to this host must not run beside the
 * login.
 */
export async function serveConsole(request: Request, env: ConsoleEnv): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return new Response(null, { status: 405, headers: { Allow: "GET, HEAD" } });
  }
  const { origin, pathname } = new URL(request.url);
  if (pathname.startsWith("/console/assets/")) return serveAsset(request, env);
  const page = await env.ASSETS.fetch(new Request(`${origin}/console/`, request));
  if (page.status === 404) {
    return new Response("The console is not built. Run `npm run build --workspace console`.", {
      status: 404,
    });
  }
  const response = new Response(page.body, page);
  const own = `${origin}/console/assets/`;
  const images = ["'self'", "data:", "blob:", ...(env.CDN_URL ? [env.CDN_URL] : [])].join(" ");
  response.headers.set(
    "Content-Security-Policy",
    `default-src 'none'; script-src ${own}; style-src ${own}; img-src ${images}; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  );
  response.headers.set("Cache-Control", "no-cache");
  return response;
}

/**
 * A file of the console. One of an earlier deployment is missing, and must not be answered with the
 * page, nor be remembered as missing like a file that never changes.
 */
async function serveAsset(request: Request, env: ConsoleEnv): Promise<Response> {
  const file = await env.ASSETS.fetch(request);
  if (file.ok || file.status === 304) return file;
  return new Response("There is no such file.", {
    status: 404,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
}
