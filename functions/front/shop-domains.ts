import { createTtlCache } from "../../shared/kernel/index.ts";

/** A Worker that requests are passed to. */
export type Upstream = Readonly<{ fetch(request: Request): Response | Promise<Response> }>;

type DomainEnv = Readonly<{
  STOREFRONT: Upstream;
  PAGES: Upstream;
  AGENTS: Upstream;
  /** The public origin of the deployment, whose host is no business's. */
  PUBLIC_URL?: string;
  CDN_URL?: string;
}>;

/** What the host of a request leads to. */
type Host =
  | Readonly<{ type: "platform" }>
  | Readonly<{ type: "shop"; slug: string; publicKey: string }>
  /** A domain whose shop cannot be shown, with the status that says why. */
  | Readonly<{ type: "closed"; status: number }>;

/** The slug of the shop whose own domain was called. Only this Worker sets the header. */
const shopDomainHeader = "X-Shop-Domain";

/** The request without the header that a caller may have sent. */
export function withoutShopDomain(request: Request): Request {
  if (!request.headers.has(shopDomainHeader)) return request;
  const clean = new Request(request);
  clean.headers.delete(shopDomainHeader);
  return clean;
}

const platform: Host = { type: "platform" };
const maxCachedHosts = 1_000;
const hosts = createTtlCache<Host>(maxCachedHosts);

/**
 * Serves a request to a business's own domain (docs/contract/business.md#domains). Null for a host of
 * the deployment.
 */
export async function serveShopDomain(
  request: Request,
  env: DomainEnv,
  background: (work: Promise<unknown>) => void,
): Promise<Response | null> {
  const hostname = hostnameOf(request);
  if (isHostOfDeployment(hostname, env)) return null;
  const load = () => loadHost(request, env);
  const host = await hosts
    .getRevalidating(hostname, Date.now(), { load, reload: load, background })
    .catch(() => null);
  if (host === null) return respondClosed(503);
  if (host.type === "platform") return null;
  return host.type === "closed" ? respondClosed(host.status) : serveShop(request, env, host);
}

/** The host of a request. A dot at its end names the same host. */
const hostnameOf = ({ url }: Request): string => new URL(url).hostname.replace(/\.$/, "");

/** The shop of a host such as `cafe.localhost`, which only programs of this machine reach. */
const localSlugOf = (hostname: string): string | null =>
  /^([a-z0-9-]+)\.localhost$/.exec(hostname)?.[1] ?? null;

/** Whether no look-up is needed: IP addresses, names without a dot, and the hosts of the settings. */
const isHostOfDeployment = (hostname: string, { PUBLIC_URL, CDN_URL }: DomainEnv): boolean =>
  !/\.[a-z][a-z0-9-]*$/.test(hostname) ||
  hostname.endsWith(".workers.dev") ||
  [PUBLIC_URL, CDN_URL].some((url) => URL.parse(url ?? "")?.hostname === hostname);

type FoundShop = Readonly<{ data: { public_key: string; business: { slug: string } } }>;

/** @throws Error when the storefront cannot say it now. */
async function loadHost(request: Request, { STOREFRONT }: DomainEnv): Promise<Host> {
  const { origin } = new URL(request.url);
  const hostname = hostnameOf(request);
  const shop = localSlugOf(hostname) ?? hostname;
  const address = request.headers.get("CF-Connecting-IP");
  const response = await STOREFRONT.fetch(
    new Request(`${origin}/api/v1/shops/${encodeURIComponent(shop)}`, {
      headers: address === null ? {} : { "CF-Connecting-IP": address },
    }),
  );
  if (response.status === 200) {
    const { data } = await response.json<FoundShop>();
    return { type: "shop", slug: data.business.slug, publicKey: data.public_key };
  }
  await response.body?.cancel();
  // 404: no business has the host, so it is the deployment's. 422: its domain is not verified.
  if (response.status === 404) return platform;
  if (response.status === 422) return { type: "closed", status: 404 };
  if (response.status === 403) return { type: "closed", status: 503 };
  throw new Error(`The shop of a host was not found: status ${response.status}.`);
}

/** The paths of the pages that are the same on every host. */
const commonPages = ["/orders", "/pay", "/shop/-"];
/** What the storefront serves: the API, files, links to unsubscribe, and what it says of itself. */
const storefrontPaths = ["/api", "/cdn", "/messages/unsubscribe", "/healthz"];
/** What only the deployment's own hosts serve. */
const platformPaths = ["/v1", "/console", "/docs", "/dev", "/assets", "/mcp"];
/** What agents call. On a host of the deployment it is below `/agents/{slug}`. */
const agentPaths = ["/.well-known", "/ucp", "/oauth"];

function serveShop(
  request: Request,
  { STOREFRONT, PAGES, AGENTS }: DomainEnv,
  { slug, publicKey }: Extract<Host, { type: "shop" }>,
): Response | Promise<Response> {
  const url = new URL(request.url);
  const { pathname } = url;
  const isUnder = (prefix: string) => pathname === prefix || pathname.startsWith(`${prefix}/`);
  if (platformPaths.some(isUnder)) return new Response(null, { status: 404 });
  if (storefrontPaths.some(isUnder)) return STOREFRONT.fetch(withPublicKey(request, publicKey));
  const ownPath = `/shop/${slug}`;
  if (isUnder(ownPath)) {
    url.pathname = pathname.slice(ownPath.length) || "/";
    return Response.redirect(url.href, 308);
  }
  const isForAgents = agentPaths.some(isUnder);
  if (isForAgents) url.pathname = `/agents/${slug}${pathname}`;
  else if (!commonPages.some(isUnder)) url.pathname = ownPath + (pathname === "/" ? "" : pathname);
  const forwarded = new Request(url, request);
  forwarded.headers.set(shopDomainHeader, slug);
  return isForAgents ? AGENTS.fetch(forwarded) : PAGES.fetch(forwarded);
}

/** The request with the key of the host's shop, unless it brings a key of its own. */
function withPublicKey(request: Request, publicKey: string): Request {
  const { headers } = request;
  const isKeyed =
    headers.has("X-Public-Key") ||
    headers.has("X-API-Key") ||
    /^Bearer +[sd]k_/i.test(headers.get("Authorization") ?? "") ||
    new URL(request.url).searchParams.has("public_key");
  if (isKeyed) return request;
  const keyed = new Request(request);
  keyed.headers.set("X-Public-Key", publicKey);
  return keyed;
}

const closedTexts: Readonly<Record<number, string>> = {
  404: "There is no shop at this address.",
  503: "This shop is not open at the moment. Try again later.",
};

const respondClosed = (status: number): Response =>
  new Response(closedTexts[status] ?? "", {
    status,
    headers: {
      "Content-Type": "text/plain; charset=UTF-8",
      "Cache-Control": "no-store",
      ...(status === 503 && { "Retry-After": "60" }),
    },
  });
