type FrontEnv = Readonly<{
  STOREFRONT: Fetcher;
  LINK: Fetcher;
  BUSINESS: Fetcher;
  BACKGROUND: Readonly<{ runJobs(): Promise<void> }>;
}>;

/**
 * The public address: passes each request to the Worker of its path, sockets and streams included.
 * Static files of `site/` are served as assets and do not reach this code.
 */
export default {
  fetch(request: Request, env: FrontEnv): Response | Promise<Response> {
    const { pathname } = new URL(request.url);
    if (startsWith(pathname, "/v1/businesses")) return env.BUSINESS.fetch(request);
    if (startsWith(pathname, "/v1/organizations")) return env.BUSINESS.fetch(request);
    if (startsWith(pathname, "/v1/link")) return env.LINK.fetch(request);
    return env.STOREFRONT.fetch(request);
  },
  /**
   * Only in development, where cron reaches this Worker alone, it forwards cron to the background
   * Worker.
   */
  async scheduled(_controller: ScheduledController, env: FrontEnv): Promise<void> {
    await env.BACKGROUND.runJobs();
  },
} satisfies ExportedHandler<FrontEnv>;

const startsWith = (path: string, prefix: string) =>
  path === prefix || path.startsWith(`${prefix}/`);
