import { type Business, businessRepo } from "../../shared/businesses/index.ts";
import { type Db, openDb, type Shards, shardsOf, shopOf } from "../../shared/database/index.ts";
import { createMeter, type Runtime, stackOf } from "../../shared/kernel/index.ts";
import { type Message, type SendResult, sendMessage } from "../../shared/messaging/index.ts";
import type { OrderContext } from "../../shared/orders/index.ts";
import { type FileStore, openFiles } from "../../shared/uploads/index.ts";
import {
  type DeliveryContext,
  type SendWebhook,
  webhookSender,
} from "../../shared/webhooks/index.ts";
import type { Announcement } from "../http/api-env.ts";
import { announced } from "../runtime/event-queue.ts";
import { log } from "../runtime/log.ts";
import { openMessage } from "../runtime/message-queue.ts";
import type { ConversationBinding } from "../runtime/objects/conversation-object.ts";
import { providersFor } from "../runtime/payment-providers.ts";
import { chance } from "../runtime/runtime.ts";
import { settingsOf } from "../runtime/settings.ts";
import type { BackgroundBindings } from "./env.ts";
import { messageSenders } from "./message-senders.ts";
import type { Work } from "./work.ts";

/** What one run of a consumer or job may reach; made anew for each, since its connections are. */
export type Background = Readonly<{
  chance: Runtime;
  queue: Queue<Announcement>;
  work: Queue<Work>;
  shards: Shards;
  dbOf: (shard: string) => Db;
  core: () => Db;
  files: FileStore;
  conversations: ConversationBinding;
  send: SendWebhook;
  /** Messages to people: a queued one, opened, and the providers that bring it. */
  mail: Readonly<{
    open: (body: unknown) => Promise<Message | null>;
    send: (message: Message) => Promise<SendResult>;
  }>;
  /** The context of delivering for a business. */
  deliveryContext: (announcement: Announcement) => DeliveryContext;
  /** The contexts of a job on businesses' orders, read at once; none for a business that is no more. */
  orderContexts: (
    businessIds: readonly string[],
    job: string,
  ) => Promise<ReadonlyMap<string, OrderContext>>;
}>;

export function backgroundOf(env: BackgroundBindings): Background {
  const settings = settingsOf(env);
  const shards = shardsOf(env, settings.shopShards);
  const dbOf = (shard: string) => openDb(shopOf(shards, { shard }), createMeter());
  const webhooks = {
    signingSecret: settings.webhookSigningSecret,
    allowLocal: settings.allowLocalWebhooks,
  };
  return {
    chance,
    queue: env.EVENTS,
    work: env.WORK,
    shards,
    dbOf,
    core: () => openDb(env.CORE, createMeter()),
    files: openFiles(env.FILES),
    conversations: env.SUPPORT_CONVERSATION,
    mail: {
      open: (body) => openMessage(body, settings),
      send: (message) => sendMessage(messageSenders(env, settings), message),
    },
    send: webhookSender({ fetch: (url, init) => fetch(url, init) }),
    deliveryContext: ({ businessId, shard }) => {
      return { ...chance, business: { id: businessId }, db: dbOf(shard), webhooks };
    },
    async orderContexts(businessIds, job) {
      if (businessIds.length === 0) return new Map();
      const businesses = businessRepo(openDb(env.CORE, createMeter()));
      const found = await businesses.findAll([...new Set(businessIds)]);
      return new Map(found.map((business) => [business.id, contextOf(business, job)]));
    },
  };

  function contextOf(business: Business, job: string): OrderContext {
    const shop = shopOf(shards, business);
    return {
      ...chance,
      requestId: `${job}-${chance.now()}`,
      business,
      actor: { type: "system", job },
      db: openDb(shop, createMeter()),
      meter: createMeter(),
      announce: () => void announced(env.EVENTS, business),
      providerFor: providersFor(business, shop, settings),
    };
  }
}

/** One line for whoever watches the logs. */
export function report(
  what: string,
  facts: Readonly<Record<string, unknown>>,
  error: unknown,
): void {
  log("error", what, { ...facts, stack: stackOf(error) });
}
