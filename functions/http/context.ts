import type { ApiKey, Business, ShopContext } from "../../shared/businesses/index.ts";
import { openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import type { Actor } from "../../shared/kernel/index.ts";
import { chance } from "./chance.ts";
import type { Announcement, RequestContext } from "./surface-env.ts";

/** The key and business of a call whose row demands a key; the row's access saw to it. */
export function keyed(c: RequestContext): Readonly<{ key: ApiKey; business: Business }> {
  const { caller } = c.var;
  if (caller.type === "stranger") throw caller.refusal;
  return caller;
}

/** The use cases' context, opened for the caller's business. */
export function contextOf(c: RequestContext, actor: Actor): ShopContext {
  const { business } = keyed(c);
  const { meter, requestId, settings } = c.var;
  return {
    ...chance,
    requestId,
    business,
    actor,
    meter,
    db: openDb(shopOf(shardsOf(c.env, settings.shopShards), business), meter),
    announce: announcer(c.env.EVENTS, business, (work) => c.executionCtx.waitUntil(work)),
  };
}

/** Nudges the background Worker; a lost nudge is found by cron, so a failure is only told. */
export function announcer(
  queue: Queue<Announcement>,
  business: { id: string; shard: string },
  background: (work: Promise<unknown>) => void,
): () => void {
  return () =>
    background(
      queue.send({ businessId: business.id, shard: business.shard }).catch((error: unknown) => {
        console.warn(JSON.stringify({ level: "warn", what: "announcement lost", error: String(error) }));
      }),
    );
}
