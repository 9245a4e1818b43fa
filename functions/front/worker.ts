type FrontEnv = Readonly<{
  STOREFRONT: Fetcher;
  LINK: Fetcher;
  BUSINESS: Fetcher;
  BACKGROUND: Readonly<{ tick(): Promise<void> }>;
}>;

/**
 * The public address: which Worker answers which path. Sockets and streams pass through untouched;
 * the pages and pictures of `site/` are static assets and do not come here.
 */
export default {
  fetch(request: Request, env: FrontEnv): Response | Promise<Response> {
    const { pathname } = new URL(request.url);
    if (startsWith(pathname, "/v1/businesses")) return env.BUSINESS.fetch(request);
    if (startsWith(pathname, "/v1/organizations")) return env.BUSINESS.fetch(request);
    if (startsWith(pathname, "/v1/link")) return env.LINK.fetch(request);
    return env.STOREFRONT.fetch(request);
  },
  /** In development alone: the local runtime reaches this Worker only, and cron is the background's. */
  async scheduled(_controller: ScheduledController, env: FrontEnv): Promise<void> {
    await env.BACKGROUND.tick();
  },
} satisfies ExportedHandler<FrontEnv>;

const startsWith = (path: string, prefix: string) =>
  path === prefix || path.startsWith(`${prefix}/`);
