import type { RequestContext } from "../../http/api-env.ts";
import { keyTextOf, publicKeyText } from "../../http/authentication/caller.ts";

export const supportSocketPath = "/support/conversation/ws";

/**
 * Where a storefront call's key stands: in a header or, where a browser can set none, in the query of
 * the support chat's socket (completions.md 10).
 */
export function storefrontKeyText(c: RequestContext): string | null {
  const inHeader = keyTextOf(c);
  if (inHeader !== null || !c.req.path.endsWith(supportSocketPath)) return inHeader;
  const inQuery = c.req.query("public_key");
  return inQuery === undefined ? null : publicKeyText(inQuery);
}
