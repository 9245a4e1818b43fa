import { countEvent, minute, second } from "../kernel/index.ts";
import type { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import type { DeliveryContext } from "./context.ts";
import {
  afterAttempt,
  type DeliveryUpdate,
  type DueDelivery,
  type FullData,
  needsFullData,
  type SendOutcome,
  webhookBody,
  withoutAttempt,
} from "./delivery.ts";
import { deliveryRepo } from "./delivery-repo.ts";
import { buildFullData, type LoadOrderPayloads } from "./full-payloads.ts";
import { createInFlight } from "./in-flight.ts";
import { type DispatchWrites, noOtherWrites, outboxRepo } from "./outbox-repo.ts";
import { receiverTimeoutMs, type SendWebhook } from "./sender.ts";
import { deriveValidSecrets, signatureHeaders } from "./signature.ts";
import { targetUrlProblem } from "./target-url.ts";

/** Limits the rows that a batch inserts: each event can have a delivery for 20 subscriptions. */
const maxEventsPerBatch = 100;

const leaseMs = minute;
/** How long after the claim an attempt may still start, so that it ends within the lease. */
const latestStartMs = leaseMs - receiverTimeoutMs - 5 * second;
/** How many claimed deliveries a run holds in memory at a time. */
const maxClaimed = 60;
/**
 * When only this many deliveries are left, the run claims more, so that connections are not idle.
 */
const refillAt = 12;

export type DeliveryRun = Readonly<{
  send: SendWebhook;
  limiter: ConcurrencyLimiter;
  /** After this time (epoch ms) the run claims nothing more, except in its first query. */
  claimUntil: number;
  /**
   * Whether the run may query the database once more. The queries of a Worker invocation are
   * limited.
   */
  mayQueryAgain: () => boolean;
  /** Loads what full payloads add to the events of orders. */
  loadOrderPayloads: LoadOrderPayloads;
  /** Loads the bodies of webhooks to platforms: whole orders (docs/agents.md#order-webhooks). */
  loadPlatformPayloads: LoadOrderPayloads;
  /**
   * Returns the headers of a webhook to a platform, which the business's key signs; null when the
   * business has no key.
   */
  signPlatformWebhook: SignPlatformWebhook;
}>;

/** A webhook to a platform as its headers show it. */
export type PlatformWebhook = Readonly<{
  businessId: string;
  /** Where the platform finds the business's profile. */
  businessAddress: string;
  url: string;
  body: string;
  eventId: string;
  /** When the event occurred, in epoch milliseconds. */
  occurredAt: number;
  /** The time of this attempt, in epoch milliseconds. */
  at: number;
}>;

export type SignPlatformWebhook = (
  webhook: PlatformWebhook,
) => Promise<Readonly<Record<string, string>> | null>;

export type DeliveryRunResult = Readonly<{
  /** Whether deliveries may still be due, because the run had to stop claiming. */
  hasMore: boolean;
  /** The earliest retry that this run scheduled. */
  nextRetryAt: number | null;
}>;

/**
 * Creates the webhook deliveries of events: one for each active webhook subscription to the event's
 * type. Safe to run concurrently, because an event has at most one delivery per subscription.
 *
 * @param others what else follows from the events, in the same batch.
 * @returns whether there may be more events without deliveries, and whether `deliverDue` has
 * anything to send.
 */
export async function createDeliveries(
  ctx: DeliveryContext,
  others: DispatchWrites = noOtherWrites,
): Promise<Readonly<{ hasMoreEvents: boolean; isAnyDue: boolean }>> {
  const { dispatched, isAnyDue } = await outboxRepo(ctx).createDeliveries(
    { idStem: ctx.newId("dlv").slice(0, -3), now: ctx.now(), limit: maxEventsPerBatch },
    others,
  );
  return { hasMoreEvents: dispatched === maxEventsPerBatch, isAnyDue };
}

/**
 * Sends the business's due webhook deliveries. Claims some under a lease, posts them concurrently,
 * records the outcomes and claims more. After a crash the leases expire and the deliveries are sent
 * again, so a receiver may get a webhook twice.
 *
 * @throws the first error of an attempt, after the outcomes of all others are recorded.
 */
export async function deliverDue(
  ctx: DeliveryContext,
  run: DeliveryRun,
): Promise<DeliveryRunResult> {
  const repo = deliveryRepo(ctx);
  const attemptDelivery = createAttempts(ctx, run);
  const inFlight = createInFlight<DeliveryUpdate>();
  let nextRetryAt: number | null = null;

  const attemptFull = (delivery: DueDelivery, fullData: FullData | undefined) =>
    fullData ? attemptDelivery({ ...delivery, fullData }) : withoutAttempt(delivery);

  for (let isFirst = true; ; isFirst = false) {
    const now = ctx.now();
    const mayClaim =
      !inFlight.hasFailed() && (isFirst || (now < run.claimUntil && run.mayQueryAgain()));
    const updates = inFlight.takeCompleted();
    nextRetryAt = earliestRetry(updates, nextRetryAt);
    const claimed = await repo.recordAndClaim(updates, {
      now,
      leaseUntil: now + leaseMs,
      auditStem: ctx.newId("aud").slice(0, -3),
      limit: mayClaim ? maxClaimed - inFlight.count() : 0,
    });
    const fullData = buildFullData(ctx, claimed, run);
    for (const delivery of claimed)
      inFlight.add(
        needsFullData(delivery)
          ? fullData.then((built) => attemptFull(delivery, built.get(delivery.id)))
          : attemptDelivery(delivery),
      );
    if (inFlight.isDrained()) return { hasMore: !mayClaim, nextRetryAt };
    // Without a further claim, all outcomes are recorded together, which takes fewer queries.
    await inFlight.waitUntilAtMost(mayClaim ? refillAt : 0);
  }
}

const earliestRetry = (
  updates: readonly DeliveryUpdate[],
  knownRetryAt: number | null,
): number | null =>
  updates.reduce(
    (earliest, { wasDelivered, nextAttemptAt }) =>
      wasDelivered === false && nextAttemptAt !== null
        ? Math.min(nextAttemptAt, earliest ?? nextAttemptAt)
        : earliest,
    knownRetryAt,
  );

/**
 * Creates the function that attempts a delivery. When a receiver fails during the run, its other
 * claimed deliveries are given back without an attempt.
 */
function createAttempts(ctx: DeliveryContext, run: DeliveryRun) {
  const { limiter } = run;
  const isFailingByReceiver = new Map<string, boolean>();

  return async function attemptDelivery(delivery: DueDelivery): Promise<DeliveryUpdate> {
    const { id: receiver, failedAttempts } = delivery.subscription;
    const wasFailing = isFailingByReceiver.get(receiver) ?? failedAttempts > 0;
    const isFailing = () => isFailingByReceiver.get(receiver) ?? wasFailing;
    return limiter.run({ receiver, isFailing }, async () => {
      const at = ctx.now();
      const hasFailedSince = isFailing() && !wasFailing;
      const isLate = at > delivery.leaseUntil - leaseMs + latestStartMs;
      if (hasFailedSince || isLate) return withoutAttempt(delivery);
      const outcome = await postDelivery(ctx, delivery, { ...run, at });
      isFailingByReceiver.set(receiver, outcome.error !== null);
      countEvent("webhook_deliveries_total", { outcome: outcome.error ? "failed" : "delivered" });
      const durationMs = Math.max(0, ctx.now() - at); // The clock may have been set back.
      return afterAttempt(delivery, outcome, { at, durationMs });
    });
  };
}

async function postDelivery(
  ctx: DeliveryContext,
  delivery: DueDelivery,
  run: Pick<DeliveryRun, "send" | "signPlatformWebhook"> & Readonly<{ at: number }>,
): Promise<SendOutcome> {
  const { url } = delivery.subscription;
  // The URL was checked when it was registered, but the rules or settings may be stricter now.
  if (targetUrlProblem(url, ctx.webhooks))
    return { statusCode: null, error: "address not allowed" };
  const body = webhookBody(delivery);
  const headers = await signatureFor(ctx, delivery, { ...run, body });
  if (headers === null) return { statusCode: null, error: "no signing key" };
  return run.send({ url, body, headers });
}

async function signatureFor(
  { business, webhooks }: DeliveryContext,
  { event, subscription }: DueDelivery,
  {
    signPlatformWebhook,
    at,
    body,
  }: Pick<DeliveryRun, "signPlatformWebhook"> & Readonly<{ at: number; body: string }>,
): Promise<Readonly<Record<string, string>> | null> {
  if (subscription.platform === null)
    return signatureHeaders({
      eventId: event.id,
      body,
      at,
      secrets: await deriveValidSecrets(webhooks, subscription, at),
    });
  return signPlatformWebhook({
    businessId: business.id,
    businessAddress: subscription.platform.businessAddress,
    url: subscription.url,
    body,
    eventId: event.id,
    occurredAt: event.createdAt,
    at,
  });
}
