import { dueBusinessErasures, dueDomainChecks } from "../../../shared/businesses/index.ts";
import {
  type Db,
  type DueRows,
  expiredIdempotencyKeys,
  findOldestDue,
} from "../../../shared/database/index.ts";
import { oldDeadLetters } from "../../../shared/dead-letters/index.ts";
import { unusedFxQuotes } from "../../../shared/fx/index.ts";
import {
  dueIntents,
  dueUnassignedOrders,
  expiredLinkSessions,
  expiredPendingDetails,
  expiredPlatformGrants,
} from "../../../shared/link/index.ts";
import { expiredConsoleRecords } from "../../../shared/members/index.ts";
import {
  dueCoreMessages,
  dueMessages,
  findOldestUnannounced,
  oldMessages,
} from "../../../shared/messages/index.ts";
import { oldCodes } from "../../../shared/one-time-codes/index.ts";
import {
  expiredOrders,
  ordersWithOldAddress,
  uncountedOrders,
} from "../../../shared/orders/index.ts";
import { dueRefunds } from "../../../shared/payments/index.ts";
import { duePortabilityJobs } from "../../../shared/portability/index.ts";
import { expiredQuotes } from "../../../shared/quotes/index.ts";
import { expiredHolds } from "../../../shared/scheduling/index.ts";
import { dueSubscriptions } from "../../../shared/subscriptions/index.ts";
import { dueErasures } from "../../../shared/support/index.ts";
import { dueFiles } from "../../../shared/uploads/index.ts";
import {
  endedWebhooks,
  findOldestDueWebhook,
  unnamedWebhooks,
} from "../../../shared/webhooks/index.ts";
import type { BackgroundContext } from "../context.ts";
import type { JobResult } from "../runs/batches.ts";
import { announceSubscriptions } from "./announce-subscriptions.ts";
import { assignLinkedOrders } from "./assign-linked-orders.ts";
import { eraseBusinesses } from "./erase-businesses.ts";
import { eraseConversations } from "./erase-conversations.ts";
import { expireOrders } from "./expire-orders.ts";
import { finishOrderLinks } from "./finish-order-links.ts";
import {
  countSalesOfShard,
  nameOldSigningSecrets,
  purgeConsole,
  purgeEndedHolds,
  purgeEndedWebhooks,
  purgeExpiredQuotes,
  purgeLinkCodes,
  purgeLinkRecords,
  purgeOldDeadLetters,
  purgeOldMessages,
  purgeShopCodes,
  purgeStoredResponses,
} from "./housekeeping.ts";
import { purgeUploads } from "./purge-uploads.ts";
import { findOldestDueAccount, reconcilePayments } from "./reconcile-payments.ts";
import { renewSubscriptions } from "./renew-subscriptions.ts";
import { sendCoreMessages } from "./send-core-messages.ts";
import { sendMessages } from "./send-messages.ts";
import { settleRefunds } from "./settle-refunds.ts";
import { findOldestWaitingWebhook, sweepEvents } from "./sweep-events.ts";
import { transferBusinesses } from "./transfer-businesses.ts";
import { verifyDomains } from "./verify-domains.ts";

/**
 * Work on one database. A job processes due records until none is left, or until its invocation's
 * queries or time are used up (docs/scale.md#background-jobs). Two runs may overlap.
 */
type Job<Arguments extends unknown[]> = Readonly<{
  name: string;
  /** The most runs that work on one database at a time. */
  maxChains: number;
  /** When the record that is due longest became due; null when none is due. One query. */
  findOldestDue: (db: Db, now: number, background: BackgroundContext) => Promise<number | null>;
  /**
   * As `findOldestDue`, without records that keep failing, which would make every later run look
   * late. Only for a job that claims nothing: a claim moves the due time of a failing record.
   */
  findOldestWaiting?: (
    db: Db,
    now: number,
    background: BackgroundContext,
  ) => Promise<number | null>;
  run: (background: BackgroundContext, ...args: Arguments) => Promise<JobResult>;
}>;

const oldestOf =
  (...rows: readonly DueRows[]) =>
  (db: Db, now: number) =>
    findOldestDue(db, rows, now);

/** The jobs that run every minute on each shard. */
export const shardJobs: readonly Job<[shard: string]>[] = [
  {
    name: "sweep-events",
    maxChains: 1,
    findOldestDue: (db, now) => findOldestDueWebhook(db, { now }),
    findOldestWaiting: findOldestWaitingWebhook,
    run: sweepEvents,
  },
  {
    name: "expire-orders",
    maxChains: 5,
    findOldestDue: oldestOf(expiredOrders),
    run: expireOrders,
  },
  { name: "settle-refunds", maxChains: 2, findOldestDue: oldestOf(dueRefunds), run: settleRefunds },
  {
    name: "renew-subscriptions",
    maxChains: 4,
    findOldestDue: oldestOf(dueSubscriptions),
    run: renewSubscriptions,
  },
  {
    name: "send-messages",
    maxChains: 4,
    findOldestDue: oldestOf(dueMessages),
    run: (background, shard) => sendMessages(background, shard),
  },
  {
    name: "announce-subscriptions",
    maxChains: 1,
    findOldestDue: findOldestUnannounced,
    run: announceSubscriptions,
  },
  {
    name: "purge-messages",
    maxChains: 1,
    findOldestDue: oldestOf(oldMessages),
    run: purgeOldMessages,
  },
  {
    name: "erase-conversations",
    maxChains: 1,
    findOldestDue: oldestOf(dueErasures),
    run: eraseConversations,
  },
  {
    name: "purge-answers",
    maxChains: 1,
    findOldestDue: oldestOf(expiredIdempotencyKeys({ database: "shop" })),
    run: purgeStoredResponses,
  },
  {
    name: "purge-quotes",
    maxChains: 1,
    findOldestDue: oldestOf(expiredQuotes, unusedFxQuotes),
    run: purgeExpiredQuotes,
  },
  {
    name: "purge-codes",
    maxChains: 1,
    findOldestDue: oldestOf(...oldCodes({ database: "shop" })),
    run: purgeShopCodes,
  },
  {
    name: "purge-holds",
    maxChains: 1,
    findOldestDue: oldestOf(expiredHolds, ordersWithOldAddress),
    run: purgeEndedHolds,
  },
  { name: "purge-uploads", maxChains: 1, findOldestDue: oldestOf(...dueFiles), run: purgeUploads },
  {
    name: "purge-webhooks",
    maxChains: 1,
    findOldestDue: oldestOf(...endedWebhooks),
    run: purgeEndedWebhooks,
  },
  {
    name: "name-signing-secrets",
    maxChains: 1,
    findOldestDue: oldestOf(unnamedWebhooks),
    run: nameOldSigningSecrets,
  },
  {
    name: "count-sales",
    maxChains: 1,
    findOldestDue: oldestOf(uncountedOrders),
    run: countSalesOfShard,
  },
];

/** The jobs that run every minute on CORE. */
export const coreJobs: readonly Job<[]>[] = [
  {
    name: "send-core-messages",
    maxChains: 1,
    findOldestDue: oldestOf(dueCoreMessages),
    run: (background) => sendCoreMessages(background),
  },
  {
    name: "finish-order-links",
    maxChains: 1,
    findOldestDue: oldestOf(dueIntents),
    run: finishOrderLinks,
  },
  {
    name: "reconcile-payments",
    maxChains: 1,
    findOldestDue: findOldestDueAccount,
    run: reconcilePayments,
  },
  {
    name: "assign-linked-orders",
    maxChains: 1,
    findOldestDue: oldestOf(dueUnassignedOrders),
    run: assignLinkedOrders,
  },
  {
    name: "erase-businesses",
    maxChains: 1,
    findOldestDue: oldestOf(dueBusinessErasures),
    run: eraseBusinesses,
  },
  {
    name: "verify-domains",
    maxChains: 1,
    findOldestDue: oldestOf(dueDomainChecks),
    run: verifyDomains,
  },
  {
    name: "transfer-businesses",
    maxChains: 4,
    findOldestDue: oldestOf(duePortabilityJobs),
    run: transferBusinesses,
  },
  {
    name: "purge-link-codes",
    maxChains: 1,
    findOldestDue: oldestOf(...oldCodes({ database: "core" })),
    run: purgeLinkCodes,
  },
  {
    name: "purge-link",
    maxChains: 1,
    findOldestDue: oldestOf(
      ...expiredLinkSessions,
      ...expiredPlatformGrants,
      expiredPendingDetails,
      expiredIdempotencyKeys({ database: "core" }),
    ),
    run: purgeLinkRecords,
  },
  {
    name: "purge-console",
    maxChains: 1,
    findOldestDue: oldestOf(...expiredConsoleRecords),
    run: purgeConsole,
  },
  {
    name: "purge-dead-letters",
    maxChains: 1,
    findOldestDue: oldestOf(oldDeadLetters),
    run: purgeOldDeadLetters,
  },
];
