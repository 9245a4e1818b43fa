import { businessRepo } from "../../shared/businesses/index.ts";
import { type Db, openDb, type Shards, shardsOf, shopOf } from "../../shared/database/index.ts";
import { type Chance, newMeter } from "../../shared/kernel/index.ts";
import type { OrderContext } from "../../shared/orders/index.ts";
import {
  type DeliveryContext,
  type SendWebhook,
  webhookSender,
} from "../../shared/webhooks/index.ts";
import { announced } from "../http/announcer.ts";
import { chance } from "../http/chance.ts";
import { providersFor } from "../http/payment-providers.ts";
import { settingsOf } from "../http/settings.ts";
import type { Announcement } from "../http/surface-env.ts";
import type { BackgroundBindings } from "./env.ts";

/** What one run of a consumer or job may reach; made anew for each, since its connections are. */
export type Background = Readonly<{
  chance: Chance;
  queue: Queue<Announcement>;
  shards: Shards;
  dbOf: (shard: string) => Db;
  send: SendWebhook;
  /** The context of delivering for a business. */
  deliveryContext: (announcement: Announcement) => DeliveryContext;
  /** The context of a job on a business's orders; null for a business that is no more. */
  orderContext: (businessId: string, job: string) => Promise<OrderContext | null>;
}>;

export function backgroundOf(env: BackgroundBindings): Background {
  const settings = settingsOf(env);
  const shards = shardsOf(env, settings.shopShards);
  const dbOf = (shard: string) => openDb(shopOf(shards, { shard }), newMeter());
  const webhooks = {
    signingSecret: settings.webhookSigningSecret,
    allowLocal: settings.allowLocalWebhooks,
  };
  return {
    chance,
    queue: env.EVENTS,
    shards,
    dbOf,
    send: webhookSender({ fetch: (url, init) => fetch(url, init) }),
    deliveryContext: ({ businessId, shard }) => {
      return { ...chance, business: { id: businessId }, db: dbOf(shard), webhooks };
    },
    async orderContext(businessId, job) {
      const business = await businessRepo(openDb(env.CORE, newMeter())).find(businessId);
      if (!business) return null;
      const shop = shopOf(shards, business);
      return {
        ...chance,
        requestId: `${job}-${chance.now()}`,
        business,
        actor: { type: "system", job },
        db: openDb(shop, newMeter()),
        meter: newMeter(),
        announce: () => void announced(env.EVENTS, business),
        providerFor: providersFor(business, shop, chance.now),
      };
    },
  };
}

/** One line for whoever watches the logs. */
export function report(
  what: string,
  facts: Readonly<Record<string, unknown>>,
  error: unknown,
): void {
  const stack = error instanceof Error ? error.stack : String(error);
  console.error(JSON.stringify({ level: "error", what, ...facts, stack }));
}
