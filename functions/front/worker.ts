type FrontEnv = Readonly<{
  STOREFRONT: Fetcher;
  LINK: Fetcher;
  BUSINESS: Fetcher;
  BACKGROUND: Readonly<{ runJobs(): Promise<void> }>;
}>;

/**
 * The public address of the service. Passes each request to the Worker that serves its path, also
 * WebSockets and streams. Static files of `site/` are served as assets and do not reach this code.
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
   * Passes cron to the background Worker. Only used in development, where cron triggers no other
   * Worker than this one.
   */
  async scheduled(_controller: ScheduledController, env: FrontEnv): Promise<void> {
    await env.BACKGROUND.runJobs();
  },
} satisfies ExportedHandler<FrontEnv>;

const startsWith = (path: string, prefix: string) =>
  path === prefix || path.startsWith(`${prefix}/`);
