import { createTtlCache, minute } from "../../../shared/kernel/index.ts";
import { runtime } from "../../runtime/runtime.ts";
import type { Upstream } from "../env.ts";
import type { ApiDocument } from "./api-document.ts";
import { createMerchantTools, type MerchantTool } from "./merchant-tool.ts";

export type MerchantTools = ReadonlyMap<string, MerchantTool>;

/** How long an isolate uses the document of the business API, which a deployment may change. */
export const toolsTtlMs = 5 * minute;

const cache = createTtlCache<MerchantTools>(1, toolsTtlMs);

/** The tools by name, made from the business API's document. @throws Error when it cannot be read. */
export async function loadMerchantTools(
  business: Upstream,
  background: (work: Promise<unknown>) => void,
): Promise<MerchantTools> {
  const load = () => fetchTools(business);
  const tools = await cache.getRevalidating("tools", runtime.now(), {
    load,
    reload: load,
    background,
  });
  return tools ?? new Map();
}

/** The host of the address does not matter, because the binding leads to the business API. */
async function fetchTools(business: Upstream): Promise<MerchantTools> {
  const response = await business.fetch(
    new Request("https://business.internal/v1/businesses/openapi.json"),
  );
  if (!response.ok)
    throw new Error(`The business API's document was not found: status ${response.status}.`);
  const document = await response.json<ApiDocument>();
  return new Map(createMerchantTools(document).map((entry) => [entry.tool.name, entry]));
}
