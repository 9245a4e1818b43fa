import { z } from "@hono/zod-openapi";
import { type Db, purgeIdempotencyKeys, type Write } from "../../../shared/database/index.ts";
import { purgeDeadLetters } from "../../../shared/dead-letters/index.ts";
import { purgeFxQuotes } from "../../../shared/fx/index.ts";
import {
  purgeLinkSessions,
  purgePendingDetails,
  purgePlatformGrants,
} from "../../../shared/link/index.ts";
import { purgeConsoleRecords } from "../../../shared/members/index.ts";
import { purgeMessages } from "../../../shared/messages/index.ts";
import { purgeCodes } from "../../../shared/one-time-codes/index.ts";
import { clearAddressDigests, countSales } from "../../../shared/orders/index.ts";
import { purgeQuotes } from "../../../shared/quotes/index.ts";
import { purgeHolds } from "../../../shared/scheduling/index.ts";
import {
  nameSigningSecrets,
  purgeWebhookDeliveries,
  signingSecretId,
} from "../../../shared/webhooks/index.ts";
import type { BackgroundContext } from "../context.ts";
import { type JobResult, repeatBatch } from "../runs/batches.ts";

/** Deletes the responses that were stored for an Idempotency-Key more than 24 hours ago. */
export const purgeStoredResponses = (background: BackgroundContext, shard: string) =>
  repeatWrites(background, background.dbOf(shard), (db, now) => [
    purgeIdempotencyKeys(db, now, { database: "shop" }),
  ]);

/** Deletes price and FX quotes that expired more than 24 hours ago. */
export const purgeExpiredQuotes = (background: BackgroundContext, shard: string) =>
  repeatWrites(background, background.dbOf(shard), (db, now) => [
    purgeQuotes(db, now),
    purgeFxQuotes(db, now),
  ]);

/** Deletes one-time codes that are so old that no rate limit counts them. */
export const purgeShopCodes = (background: BackgroundContext, shard: string) =>
  repeatWrites(background, background.dbOf(shard), (db, now) => [
    purgeCodes(db, now, { database: "shop" }),
  ]);

/** Like `purgeShopCodes`, but for the one-time codes of Link. */
export const purgeLinkCodes = (background: BackgroundContext) =>
  repeatWrites(background, background.core(), (db, now) => [
    purgeCodes(db, now, { database: "core" }),
  ]);

/** Deletes expired slot holds, and the digests of networks that no limit needs any more. */
export const purgeEndedHolds = (background: BackgroundContext, shard: string) =>
  repeatWrites(background, background.dbOf(shard), (db, now) => [
    purgeHolds(db, now),
    clearAddressDigests(db, now),
  ]);

/** Deletes webhook deliveries that succeeded or failed for good 30 days ago, and their events. */
export const purgeEndedWebhooks = (background: BackgroundContext, shard: string) =>
  repeatWrites(background, background.dbOf(shard), purgeWebhookDeliveries);

/** Deletes messages that the log no longer shows. */
export const purgeOldMessages = (background: BackgroundContext, shard: string) =>
  repeatWrites(background, background.dbOf(shard), (db, now) => [purgeMessages(db, now)]);

/** Names the signing secret of webhook subscriptions from before secrets had names. */
export async function nameOldSigningSecrets(
  background: BackgroundContext,
  shard: string,
): Promise<JobResult> {
  const { signingSecrets } = background.webhooks;
  const oldest = await signingSecretId(signingSecrets.at(-1) ?? signingSecrets[0]);
  return repeatWrites(background, background.dbOf(shard), (db) => [nameSigningSecrets(db, oldest)]);
}

/** Deletes expired sessions, tokens, grants of platforms, waiting details and stored responses of Link. */
export const purgeLinkRecords = (background: BackgroundContext) =>
  repeatWrites(background, background.core(), (db, now) => [
    ...purgeLinkSessions(db, now),
    ...purgePlatformGrants(db, now),
    purgePendingDetails(db, now),
    purgeIdempotencyKeys(db, now, { database: "core" }),
  ]);

/** Deletes dead letters that nobody needs any more. */
export const purgeOldDeadLetters = (background: BackgroundContext) =>
  repeatWrites(background, background.core(), (db, now) => [purgeDeadLetters(db, now)]);

/** Deletes ended logins and challenges of the console, and people who only had such a login. */
export const purgeConsole = (background: BackgroundContext) =>
  repeatWrites(background, background.core(), purgeConsoleRecords);

const ordersPerSalesCount = 500;

/** Adds new orders to the counts of popular products and of products bought together. */
export function countSalesOfShard(background: BackgroundContext, shard: string) {
  const db = background.dbOf(shard);
  return repeatBatch(background, 3, async () => {
    const limit = ordersPerSalesCount;
    const processed = await countSales(db, { now: background.runtime.now(), limit });
    return { processed, hasMore: processed === limit };
  });
}

const maxWritesPerBatch = 4;
const WriteResult = z.object({ meta: z.object({ changes: z.number() }) });

/**
 * Repeats writes, each of which changes a limited number of rows, until they change none. That takes
 * a batch more than counting to their limits, and it also works when rows at the front cannot go yet.
 */
function repeatWrites(
  background: BackgroundContext,
  db: Db,
  writesAt: (db: Db, now: number) => readonly [Write, ...Write[]],
): Promise<JobResult> {
  return repeatBatch(background, maxWritesPerBatch, async () => {
    const results = await db.batch(writesAt(db, background.runtime.now()));
    const changes = results.map((result) => WriteResult.parse(result).meta.changes);
    const processed = changes.reduce((sum, count) => sum + count, 0);
    return { processed, hasMore: processed > 0 };
  });
}
