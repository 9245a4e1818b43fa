import { loadSigningKey } from "../../shared/agents/index.ts";
import {
  type Business,
  type BusinessWithHostname,
  businessRepo,
  findWithHostnames,
  type LookUpTxt,
} from "../../shared/businesses/index.ts";
import {
  createMeter,
  type Db,
  openDb,
  type Shards,
  shardsOf,
  shopOf,
} from "../../shared/database/index.ts";
import { type Runtime, stackOf } from "../../shared/kernel/index.ts";
import type { OrderLinkContext } from "../../shared/link/index.ts";
import type { CoreSendingContext, SendingContext } from "../../shared/messages/index.ts";
import {
  type Channel,
  type Message,
  type ProviderResult,
  sendMessage,
} from "../../shared/messaging/index.ts";
import type { OrderContext } from "../../shared/orders/index.ts";
import type { LedgerAccount } from "../../shared/reconciliation/index.ts";
import { createFileStore, type FileStore } from "../../shared/uploads/index.ts";
import {
  createWebhookSender,
  type DeliveryContext,
  type SendWebhook,
  type WebhookSettings,
} from "../../shared/webhooks/index.ts";
import type { OutboxWakeup } from "../runtime/bindings.ts";
import { createTxtLookup } from "../runtime/dns.ts";
import { log } from "../runtime/log.ts";
import {
  type MessageWakeup,
  openContent,
  openValues,
  queueNotice,
  sealContent,
  wakeMessageSender,
} from "../runtime/message-queue.ts";
import type { ConversationBinding } from "../runtime/objects/conversation-object.ts";
import { wakeOutboxWorker } from "../runtime/outbox-wakeup.ts";
import { listLedgerAccounts, openBusinessLedger } from "../runtime/providers/ledger-accounts.ts";
import { createProviderLookup } from "../runtime/providers/payment-providers.ts";
import { runtime } from "../runtime/runtime.ts";
import { settingsOf } from "../runtime/settings.ts";
import type { BackgroundBindings } from "./env.ts";
import { messageLinks } from "./message-links.ts";
import { createPlatformWebhooks, type PlatformWebhooks } from "./platform-webhooks.ts";
import type { QueuedJob } from "./queued-job.ts";
import { createFailedRecords, type FailedRecords } from "./runs/failed-records.ts";
import { createQueryBudget, type QueryBudget } from "./runs/query-budget.ts";
import { hasMailbox, messageSenders, senderEmailOf } from "./senders/message-senders.ts";

/** Seconds. `npm run dev` is ready before the messages of its demo shops are written. */
const mailboxDelay = 5;

/**
 * What consumers and jobs use. Created for every run, because Cloudflare binds connections to one
 * invocation.
 */
export type BackgroundContext = Readonly<{
  runtime: Runtime;
  eventQueue: Queue<OutboxWakeup>;
  jobQueue: Queue<QueuedJob>;
  shards: Shards;
  queries: QueryBudget;
  failedRecords: FailedRecords;
  /** Whether each run of a job leaves a line in the log. */
  logsRuns: boolean;
  dbOf: (shard: string) => Db;
  core: () => Db;
  /** The deployment's provider accounts whose books are compared with ours. */
  ledgerAccounts: readonly LedgerAccount[];
  /** Opens the books of a business's own account by its name. */
  openBusinessLedger: (
    business: Business | null,
    name: string,
  ) => ReturnType<typeof openBusinessLedger>;
  files: FileStore;
  conversations: ConversationBinding;
  /** Reads the DNS records of businesses' domains. */
  lookUpTxt: LookUpTxt;
  webhooks: WebhookSettings;
  sendWebhook: SendWebhook;
  /** What webhooks to the platforms of agents need in addition. */
  platforms: PlatformWebhooks;
  /** Opens and seals what messages show, and sends them through their providers. */
  messages: Readonly<{
    open: CoreSendingContext["open"];
    sealValues: (values: Readonly<Record<string, string>>) => Promise<string>;
    send: (message: Message) => Promise<ProviderResult>;
    notify: OrderLinkContext["notify"];
    /** The channels that have a provider. */
    channels: readonly Channel[];
    /** Wakes the consumer that sends a business's due messages. */
    wake: (wakeup: MessageWakeup) => Promise<void>;
  }>;
  /** What sending a business's messages needs, except its shard. */
  sendingContextFor: (
    sender: BusinessWithHostname,
  ) => Omit<SendingContext, "db" | "loadFacts" | "reportError">;
  /** Loads businesses by id in one query. A deleted one is missing in the map. */
  loadBusinesses: (ids: readonly string[]) => Promise<ReadonlyMap<string, Business>>;
  /** As `loadBusinesses`, with the domain that messages name. */
  loadSenders: (ids: readonly string[]) => Promise<ReadonlyMap<string, BusinessWithHostname>>;
  deliveryContextFor: (wakeup: OutboxWakeup) => DeliveryContext;
  /** Loads order contexts by business id in one query. A deleted business is missing in the map. */
  loadOrderContexts: (
    businessIds: readonly string[],
    job: string,
  ) => Promise<ReadonlyMap<string, OrderContext>>;
}>;

export function createBackground(env: BackgroundBindings): BackgroundContext {
  const settings = settingsOf(env);
  const queries = createQueryBudget();
  const shards = Object.fromEntries(
    Object.entries(shardsOf(env, settings.shopShards)).map(([name, shard]) => [
      name,
      queries.count(shard),
    ]),
  );
  const core = () => openDb(queries.count(env.CORE), createMeter());
  const dbOf = (shard: string) => openDb(shopOf(shards, { shard }), createMeter());
  const webhooks = {
    signingSecrets: settings.webhookSigningSecrets,
    allowLocal: settings.allowLocalWebhooks,
  };
  return {
    runtime: runtime,
    eventQueue: env.EVENTS,
    jobQueue: env.WORK,
    shards,
    queries,
    failedRecords: createFailedRecords({ core, now: runtime.now }),
    logsRuns: settings.logsRequests,
    dbOf,
    core,
    ledgerAccounts: listLedgerAccounts(shards, settings),
    openBusinessLedger: (business, name) => openBusinessLedger(business, name, settings),
    files: createFileStore(env.FILES),
    conversations: env.SUPPORT_CONVERSATION,
    messages: {
      open: (sealed) => openContent(settings, sealed),
      sealValues: (values) => sealContent(settings, values),
      send: (message) => sendMessage(messageSenders(env, settings), message),
      notify: (contacts, notice) =>
        queueNotice({ bindings: env, settings, core: core() }, { contacts, notice }),
      channels: [
        ...(settings.emailProvider === undefined ? [] : ["email" as const]),
        ...(settings.smsProvider === undefined ? [] : ["sms" as const]),
      ],
      wake: (wakeup) =>
        wakeMessageSender(env, wakeup, hasMailbox(env) ? { delaySeconds: mailboxDelay } : {}),
    },
    sendingContextFor: ({ business, hostname }) => ({
      business,
      now: runtime.now,
      links: messageLinks(settings, hostname),
      senderEmail: senderEmailOf(env),
      unsealValues: (sealed) => openValues(settings, sealed),
      send: (message) => sendMessage(messageSenders(env, settings), message),
      isShopperAway: (conversationId, since) =>
        env.SUPPORT_CONVERSATION.getByName(conversationId).isShopperAway(business.id, since),
    }),
    loadBusinesses,
    loadSenders: async (ids) =>
      ids.length === 0 ? new Map() : findWithHostnames(core(), [...new Set(ids)]),
    lookUpTxt: createTxtLookup(settings),
    webhooks,
    sendWebhook: createWebhookSender({ fetch: (url, init) => fetch(url, init) }),
    platforms: createPlatformWebhooks({
      ...{ now: runtime.now, settings },
      loadKey: (businessId) =>
        loadSigningKey(
          { ...runtime, core: core(), keyring: settings.credentialsKeyring },
          businessId,
        ),
    }),
    deliveryContextFor: ({ businessId, shard }) => {
      return { ...runtime, business: { id: businessId }, db: dbOf(shard), webhooks };
    },
    async loadOrderContexts(businessIds, job) {
      const found = await loadBusinesses(businessIds);
      return new Map(
        [...found.values()].map((business) => [business.id, createOrderContext(business, job)]),
      );
    },
  };

  async function loadBusinesses(ids: readonly string[]): Promise<ReadonlyMap<string, Business>> {
    if (ids.length === 0) return new Map();
    const found = await businessRepo(core()).findMany([...new Set(ids)]);
    return new Map(found.map((business) => [business.id, business]));
  }

  function createOrderContext(business: Business, job: string): OrderContext {
    const shop = shopOf(shards, business);
    return {
      ...runtime,
      requestId: `${job}-${runtime.now()}`,
      business,
      actor: { type: "system", job },
      db: openDb(shop, createMeter()),
      meter: createMeter(),
      wakeOutboxWorker: () => void wakeOutboxWorker(env.EVENTS, business),
      providers: createProviderLookup(business, { core: queries.count(env.CORE), shop, settings }),
    };
  }
}

/** Logs an error as one line. */
export function reportError(
  what: string,
  facts: Readonly<Record<string, unknown>>,
  error: unknown,
): void {
  log("error", what, { ...facts, stack: stackOf(error) });
}
