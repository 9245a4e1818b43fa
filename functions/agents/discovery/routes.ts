import type { Context } from "hono";
import {
  loadPublishedKeys,
  newestRelease,
  type PublishedKey,
  parseRelease,
  type Release,
} from "../../../shared/agents/index.ts";
import { openDb } from "../../../shared/database/index.ts";
import { createTtlCache, sha256 } from "../../../shared/kernel/index.ts";
import { runtime } from "../../runtime/runtime.ts";
import type { AgentApp, AgentEnv } from "../agent-call.ts";
import { loadPaymentHandlers } from "../payment-handlers.ts";
import { onUnknownPath } from "../respond.ts";
import { toProfileView } from "../views/profile-view.ts";

const maxCachedBusinesses = 1_000;
const keysByBusiness = createTtlCache<readonly PublishedKey[]>(maxCachedBusinesses);

/** How long platforms use a profile. A key that is withdrawn is trusted for this long at most. */
const cacheControl = "public, max-age=300";

/** The profiles of businesses (docs/agents.md#discovery). */
export function mountDiscovery(app: AgentApp): void {
  app.get("/agents/:slug/.well-known/ucp", (c) => respondWithProfile(c, newestRelease, true));
  app.get("/agents/:slug/.well-known/ucp/:release", (c) => {
    const release = parseRelease(c.req.param("release"));
    return release ? respondWithProfile(c, release, false) : onUnknownPath(c);
  });
}

async function respondWithProfile(
  c: Context<AgentEnv>,
  release: Release,
  namesOthers: boolean,
): Promise<Response> {
  const shop = c.get("shop");
  const [handlers, keys] = await Promise.all([
    loadPaymentHandlers(c, shop.business),
    loadKeys(c, shop.business.id),
  ]);
  const text = JSON.stringify(toProfileView({ release, shop, handlers, keys, namesOthers }));
  const tag = `"${(await sha256(text)).slice(0, 32)}"`;
  const headers = { ETag: tag, "Cache-Control": cacheControl };
  if (matchesTag(c.req.header("if-none-match"), tag)) return c.body(null, 304, headers);
  return c.body(text, 200, { ...headers, "Content-Type": "application/json" });
}

async function loadKeys(
  c: Context<AgentEnv>,
  businessId: string,
): Promise<readonly PublishedKey[]> {
  const keyring = c.get("settings").credentialsKeyring;
  const ctx = { ...runtime, core: openDb(c.env.CORE, c.get("meter")), keyring };
  const load = () => loadPublishedKeys(ctx, businessId);
  return (await keysByBusiness.get(businessId, runtime.now(), load)) ?? [];
}

/** Whether an If-None-Match header names the tag, by weak comparison. */
const matchesTag = (header: string | undefined, tag: string): boolean =>
  (header?.split(",") ?? []).some((one) => ["*", tag, `W/${tag}`].includes(one.trim()));
