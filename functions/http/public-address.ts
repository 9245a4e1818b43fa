import type { PublicAddress } from "../wire/image-url.ts";
import type { RequestContext } from "./context.ts";

/** The address under which this request came in, and the deployment's own address of files. */
export function publicAddressOf(c: Pick<RequestContext, "get" | "req">): PublicAddress {
  const { origin } = new URL(c.req.url);
  return { origin, cdnUrl: c.get("settings").cdnUrl ?? `${origin}/cdn` };
}
