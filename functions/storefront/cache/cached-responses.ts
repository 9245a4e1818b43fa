import type { MiddlewareHandler } from "hono";
import {
  type AtVersion,
  type CatalogueReader,
  readCatalogueVersion,
} from "../../../shared/catalogue/index.ts";
import {
  createMeter,
  type Meter,
  openDb,
  shardsOf,
  shopOf,
} from "../../../shared/database/index.ts";
import { createLruCache, second, sha256 } from "../../../shared/kernel/index.ts";
import { assertAccess, publishableKey } from "../../http/authentication/access.ts";
import { asEnvelopeResponse, type EnvelopeResponse } from "../../http/bodies.ts";
import { type ApiEnv, type RequestContext, requireKey } from "../../http/context.ts";
import { envelope } from "../../http/contract.ts";
import { runtime } from "../../runtime/runtime.ts";
import { matchesEntityTag } from "./entity-tag.ts";
import { catalogueVersions } from "./isolate-caches.ts";

const maxCacheBytes = 32 * 1024 * 1024;

type ResponseHeaders = Readonly<Record<string, string>>;

type CachedResponse = Readonly<{
  body: string;
  tag: string;
  /** When it can no longer be used, even if the catalogue is unchanged. */
  expiresAt: number;
  headers: ResponseHeaders;
}>;

const responseCache = createLruCache<CachedResponse>(
  maxCacheBytes,
  ({ body, headers }, key) => 2 * (body.length + key.length + JSON.stringify(headers).length),
);

const requirePublishableKey = assertAccess(publishableKey);

/**
 * Serves a cached catalogue response before the route validates the request. Responses with a
 * `variantKey` are not served here, because only their route can compute that key.
 */
export const serveFromCache: MiddlewareHandler<ApiEnv> = async function serveFromCache(c, next) {
  if (c.get("caller").type === "unauthenticated") return next();
  const cached = await findCachedResponse(c);
  if (!cached) return next();
  return requirePublishableKey(c, async () => {
    c.res = respondWith(c, cached);
  });
};

/**
 * How long a response with stock or popularity may be used: sales change them without a new
 * catalogue version, which would expire every cached response of the business.
 */
export const stockTtlMs = 5 * second;

type CacheOptions<T> = Readonly<{
  /** What the response depends on in addition to the URL and the catalogue's version. */
  variantKey?: string;
  /** How long the response may be used; null as long as the catalogue is unchanged. */
  ttlMs?: (data: T) => number | null;
}>;

/** Responds from the cache, or loads the data in one D1 round trip and caches the response. */
export async function respondCached<T>(
  c: RequestContext,
  load: (
    reader: CatalogueReader,
  ) => Promise<AtVersion<T> & Readonly<{ headers?: ResponseHeaders }>>,
  { variantKey = "", ttlMs = () => null }: CacheOptions<T> = {},
): Promise<EnvelopeResponse<T>> {
  const cached = await findCachedResponse(c, variantKey);
  if (cached) return asEnvelopeResponse(respondWith(c, cached));
  const { business } = requireKey(c);
  const now = runtime.now();
  const { version, data, headers } = await load(createCatalogueReader(c));
  catalogueVersions.remember(business.id, now, version);
  const response = await createCachedResponse(JSON.stringify(envelope(data)), {
    expiresAt: now + (ttlMs(data) ?? Number.POSITIVE_INFINITY),
    ownHeaders: { ...headers, ...warningHeader(c.get("warning")) },
  });
  responseCache.put(cacheKeyFor(business.id, version, c.req.raw.url) + variantKey, response);
  return asEnvelopeResponse(respondWith(c, response));
}

/**
 * Creates a reader of the primary database. A replica would return an old catalogue version for as
 * long as it lags, and the caches keep what they read as current for 5 s.
 */
export function createCatalogueReader(
  c: RequestContext,
  meter: Meter = c.get("meter"),
): CatalogueReader {
  const { business } = requireKey(c);
  const shop = shopOf(shardsOf(c.env, c.get("settings").shopShards), business);
  return { business, db: openDb(shop, meter) };
}

async function findCachedResponse(
  c: RequestContext,
  variantKey = "",
): Promise<CachedResponse | undefined> {
  const { business } = requireKey(c);
  const now = runtime.now();
  const version = await catalogueVersions.loadCurrent(
    business.id,
    now,
    // This read runs in the background, so its round trips are not counted for a request.
    () => readCatalogueVersion(createCatalogueReader(c, createMeter())),
    (work) => c.executionCtx.waitUntil(work),
  );
  if (version === undefined) return undefined;
  const cached = responseCache.get(cacheKeyFor(business.id, version, c.req.raw.url) + variantKey);
  return cached && now < cached.expiresAt ? cached : undefined;
}

/**
 * The cache key. It contains the host, because image URLs do. The order of the query parameters
 * does not matter.
 */
function cacheKeyFor(businessId: string, version: number, url: string): string {
  const queryAt = url.indexOf("?");
  if (queryAt < 0) return `${businessId} ${version} ${url}`;
  const query = url
    .slice(queryAt + 1)
    .split("&")
    .sort()
    .join("&");
  return `${businessId} ${version} ${url.slice(0, queryAt)}?${query}`;
}

/**
 * The entity tag is a digest of the body. A catalogue change that leaves the body the same keeps
 * the tag, so clients do not download the body again.
 */
async function createCachedResponse(
  body: string,
  { expiresAt, ownHeaders }: Readonly<{ expiresAt: number; ownHeaders: ResponseHeaders }>,
): Promise<CachedResponse> {
  const tag = `"${(await sha256(body)).slice(0, 32)}"`;
  return {
    body,
    tag,
    expiresAt,
    headers: {
      "Content-Type": "application/json",
      ETag: tag,
      // Clients must revalidate every time, because this service's own caches may already be 5 s
      // old.
      "Cache-Control": "public, no-cache",
      // The CORS middleware adds Origin.
      Vary: "X-Public-Key, X-API-Key, X-Business-Id",
      ...ownHeaders,
    },
  };
}

/** A cached response repeats it, because its route does not run again. */
const warningHeader = (warning: string | null): ResponseHeaders =>
  warning === null ? {} : { Warning: warning };

function respondWith(c: RequestContext, { body, tag, headers }: CachedResponse): Response {
  const ifNoneMatch = c.req.header("if-none-match");
  if (ifNoneMatch === undefined || !matchesEntityTag(ifNoneMatch, tag))
    return new Response(body, { headers });
  const { "Content-Type": _, ...notModifiedHeaders } = headers;
  return new Response(null, { status: 304, headers: notModifiedHeaders });
}
