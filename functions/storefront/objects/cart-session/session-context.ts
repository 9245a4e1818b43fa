import { type Business, businessRepo } from "../../../../shared/businesses/index.ts";
import type { CheckoutContext } from "../../../../shared/checkout/index.ts";
import { type Login, sessionActor } from "../../../../shared/customers/index.ts";
import { openDb, shardsOf, shopOf } from "../../../../shared/database/index.ts";
import { createMeter, type Meter } from "../../../../shared/kernel/index.ts";
import { announcer } from "../../../runtime/event-queue.ts";
import { fxProviderOf } from "../../../runtime/fx-providers.ts";
import { providersFor } from "../../../runtime/payment-providers.ts";
import { chance } from "../../../runtime/runtime.ts";
import { settingsOf } from "../../../runtime/settings.ts";
import { catalogueOffers, catalogueProducts } from "../../catalogue-memory.ts";
import type { StorefrontBindings } from "../../env.ts";

/** The context of a session's use cases, opened for the business of the call. */
export function sessionContext(
  {
    env,
    background,
    sessionId,
    login,
  }: Readonly<{
    env: StorefrontBindings;
    background: (work: Promise<unknown>) => void;
    sessionId: string;
    login: Login | null;
  }>,
  { business, requestId, meter }: Readonly<{ business: Business; requestId: string; meter: Meter }>,
): CheckoutContext {
  const shop = shopOf(shardsOf(env, settingsOf(env).shopShards), business);
  const db = openDb(shop, meter);
  const reader = { db, business, now: chance.now };
  return {
    ...chance,
    requestId,
    business,
    actor: sessionActor(sessionId, login),
    db,
    meter,
    announce: announcer(env.EVENTS, business, background),
    findProducts: (ids, couponCode = null, companions = []) =>
      catalogueProducts.find(reader, ids, [
        ...catalogueOffers.alongside(reader, couponCode),
        ...companions,
      ]),
    findDeals: (couponCode) => catalogueOffers.find(reader, couponCode),
    providerFor: providersFor(business, shop, settingsOf(env)),
    fx: fxProviderOf(business, { settings: settingsOf(env), background }),
  };
}

/** The business of something that was stored, in the shard where it is by now: it may have moved. */
export async function whereItIs(
  { CORE }: Pick<StorefrontBindings, "CORE">,
  stored: Business,
): Promise<Business> {
  const shard = await businessRepo(openDb(CORE, createMeter())).shardOf(stored.id);
  return { ...stored, shard: shard ?? stored.shard };
}
