import { sha256 } from "../../shared/kernel/index.ts";
import { linkProof } from "../../shared/orders/index.ts";
import { type RequestContext, requireKey } from "../http/context.ts";
import { parseOrderLinkToken } from "../runtime/order-links.ts";
import { runtime } from "../runtime/runtime.ts";

/**
 * What the holder of a token proves: the hash of a bill token, or the order of a valid order link.
 * An expired link, and another business's, proves nothing, like a wrong bill token.
 */
export async function readTokenProof(c: RequestContext, token: string): Promise<string> {
  const link = await parseOrderLinkToken(c.get("settings"), token);
  const isValid =
    link !== null &&
    link.businessId === requireKey(c).business.id &&
    link.expiresAt > runtime.now();
  return isValid ? linkProof(link.orderId) : sha256(token);
}
