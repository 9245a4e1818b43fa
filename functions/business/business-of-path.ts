import type { RequestContext } from "../http/api-env.ts";

/**
 * The business of the path plays the part of X-Business-Id, so that no call of this surface can
 * reach a business which its key does not serve. Handlers take the business from the caller, never
 * from the path's parameter.
 */
export const businessOfPath = (c: RequestContext): string | null =>
  /^\/v1\/businesses\/([^/]+)/.exec(c.req.path)?.[1] ?? null;
