import type { ApiKey, Business, ShopContext } from "../../shared/businesses/index.ts";
import { openDb, type Seal, shardsOf, shopOf } from "../../shared/database/index.ts";
import type { Actor } from "../../shared/kernel/index.ts";
import { announcer } from "../runtime/event-queue.ts";
import { chance } from "../runtime/runtime.ts";
import type { RequestContext } from "./api-env.ts";

/** The key and business of a call whose row demands a key; the row's access saw to it. */
export function keyed(c: RequestContext): Readonly<{ key: ApiKey; business: Business }> {
  const caller = c.get("caller");
  if (caller.type === "stranger") throw caller.refusal;
  return caller;
}

/** What the call's writes in that database take along (`idempotent`); null where nothing is marked there. */
export function sealIn(c: RequestContext, place: "shop" | "core"): Seal | null {
  const seal = c.get("seal");
  return seal?.in === place ? seal : null;
}

/** The use cases' context, opened for the caller's business. */
export const contextOf = (c: RequestContext, actor: Actor): ShopContext =>
  contextIn(c, { business: keyed(c).business, actor });

/** As `contextOf`, for a call whose credential is not of one business. */
export function contextIn(
  c: RequestContext,
  { business, actor }: { business: Business; actor: Actor },
): ShopContext {
  const meter = c.get("meter");
  const requestId = c.get("requestId");
  const settings = c.get("settings");
  return {
    ...chance,
    requestId,
    business,
    actor,
    meter,
    db: openDb(
      shopOf(shardsOf(c.env, settings.shopShards), business),
      meter,
      c.get("gate"),
      sealIn(c, "shop"),
    ),
    announce: announcer(c.env.EVENTS, business, (work) => c.executionCtx.waitUntil(work)),
  };
}
