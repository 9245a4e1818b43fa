import { version } from "../http/version.ts";

type FrontEnv = Readonly<{
  STOREFRONT: Fetcher;
  LINK: Fetcher;
  BUSINESS: Fetcher;
}>;

/** The public address: which Worker answers which path. Sockets and streams pass through untouched. */
export default {
  fetch(request: Request, env: FrontEnv): Response | Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/healthz") return Response.json({ status: "ok", version });
    if (startsWith(pathname, "/v1/businesses")) return env.BUSINESS.fetch(request);
    if (startsWith(pathname, "/v1/link")) return env.LINK.fetch(request);
    return env.STOREFRONT.fetch(request);
  },
} satisfies ExportedHandler<FrontEnv>;

const startsWith = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`);
