import type { ApiKey, Business, ShopContext } from "../../shared/businesses/index.ts";
import { type IdempotencyMark, openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import type { Actor } from "../../shared/kernel/index.ts";
import { createOutboxWaker } from "../runtime/outbox-wakeup.ts";
import { runtime } from "../runtime/runtime.ts";
import type { RequestContext } from "./api-env.ts";

/** The API key and its business. @throws Refusal UNAUTHORIZED or FORBIDDEN without a valid key. */
export function requireKey(c: RequestContext): Readonly<{ key: ApiKey; business: Business }> {
  const caller = c.get("caller");
  if (caller.type === "unauthenticated") throw caller.refusal;
  return caller;
}

/** The mark for the call's writes in that database; null where none is needed. */
export function idempotencyMarkFor(
  c: RequestContext,
  place: "shop" | "core",
): IdempotencyMark | null {
  const seal = c.get("idempotencyMark");
  return seal?.in === place ? seal : null;
}

/** Creates the use cases' context for the caller's business. */
export const createContext = (c: RequestContext, actor: Actor): ShopContext =>
  createContextFor(c, { business: requireKey(c).business, actor });

/** As `createContext`, for a call whose credential does not name the business. */
export function createContextFor(
  c: RequestContext,
  { business, actor }: { business: Business; actor: Actor },
): ShopContext {
  const meter = c.get("meter");
  const requestId = c.get("requestId");
  const settings = c.get("settings");
  return {
    ...runtime,
    requestId,
    business,
    actor,
    meter,
    db: openDb(
      shopOf(shardsOf(c.env, settings.shopShards), business),
      meter,
      c.get("batchGuard"),
      idempotencyMarkFor(c, "shop"),
    ),
    wakeOutboxWorker: createOutboxWaker(c.env.EVENTS, business, (work) =>
      c.executionCtx.waitUntil(work),
    ),
  };
}
