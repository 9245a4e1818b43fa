import type { RequestContext } from "../../http/api-env.ts";
import { publishableKeyOrEmpty, readApiKey } from "../../http/authentication/caller.ts";

export const supportSocketPath = "/support/conversation/ws";

/**
 * The key of a storefront request: from a header or, for the support WebSocket, for which a browser
 * cannot set headers, from the query (docs/contract/storefront.md#support-socket).
 */
export function readStorefrontKey(c: RequestContext): string | null {
  const inHeader = readApiKey(c);
  if (inHeader !== null || !c.req.path.endsWith(supportSocketPath)) return inHeader;
  const inQuery = c.req.query("public_key");
  return inQuery === undefined ? null : publishableKeyOrEmpty(inQuery);
}
