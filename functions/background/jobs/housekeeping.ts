import { purgeIdempotencyKeys } from "../../../shared/database/index.ts";
import { purgeFxQuotes } from "../../../shared/fx/index.ts";
import { purgeLinkSessions, purgePendingDetails } from "../../../shared/link/index.ts";
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

// Each job handles one limited batch per run. The run of the next minute handles the next batch.

const ordersPerSalesCount = 500;

/** Deletes the responses that were stored for an Idempotency-Key more than 24 hours ago. */
export async function purgeStoredResponses(
  { runtime, dbOf }: BackgroundContext,
  shard: string,
): Promise<void> {
  const db = dbOf(shard);
  await db.batch([purgeIdempotencyKeys(db, runtime.now(), { database: "shop" })]);
}

/** Deletes price and FX quotes that expired more than 24 hours ago. */
export async function purgeExpiredQuotes(
  { runtime, dbOf }: BackgroundContext,
  shard: string,
): Promise<void> {
  const db = dbOf(shard);
  const now = runtime.now();
  await db.batch([purgeQuotes(db, now), purgeFxQuotes(db, now)]);
}

/** Deletes one-time codes that are so old that no rate limit counts them. */
export async function purgeShopCodes(
  { runtime, dbOf }: BackgroundContext,
  shard: string,
): Promise<void> {
  const db = dbOf(shard);
  await db.batch([purgeCodes(db, runtime.now(), { database: "shop" })]);
}

/** Like `purgeShopCodes`, but for the one-time codes of Link. */
export async function purgeLinkCodes({ runtime, core }: BackgroundContext): Promise<void> {
  const db = core();
  await db.batch([purgeCodes(db, runtime.now(), { database: "core" })]);
}

/** Deletes expired slot holds, and the digests of networks that no limit needs any more. */
export async function purgeEndedHolds(
  { runtime, dbOf }: BackgroundContext,
  shard: string,
): Promise<void> {
  const db = dbOf(shard);
  const now = runtime.now();
  await db.batch([purgeHolds(db, now), clearAddressDigests(db, now)]);
}

/**
 * Deletes webhook deliveries that succeeded or failed for good 30 days ago, and their events. Names
 * the signing secret of older webhook subscriptions.
 */
export async function purgeEndedWebhooks(
  { runtime, dbOf, webhooks: { signingSecrets } }: BackgroundContext,
  shard: string,
): Promise<void> {
  const db = dbOf(shard);
  const oldest = await signingSecretId(signingSecrets.at(-1) ?? signingSecrets[0]);
  await db.batch([...purgeWebhookDeliveries(db, runtime.now()), nameSigningSecrets(db, oldest)]);
}

/** Deletes expired sessions, refresh tokens, waiting details and stored responses of Link. */
export async function purgeLinkRecords({ runtime, core }: BackgroundContext): Promise<void> {
  const db = core();
  const now = runtime.now();
  await db.batch([
    ...purgeLinkSessions(db, now),
    purgePendingDetails(db, now),
    purgeIdempotencyKeys(db, now, { database: "core" }),
  ]);
}

/** Adds new orders to the counts of popular products and of products bought together. */
export async function countSalesOfShard(
  { runtime, dbOf }: BackgroundContext,
  shard: string,
): Promise<void> {
  await countSales(dbOf(shard), { now: runtime.now(), limit: ordersPerSalesCount });
}
