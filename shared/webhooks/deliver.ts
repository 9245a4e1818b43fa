import { minute, second } from "../kernel/index.ts";
import type { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import type { DeliveryContext } from "./context.ts";
import {
  afterAttempt,
  type DeliveryUpdate,
  type DueDelivery,
  type SendOutcome,
  signingGenerations,
  webhookBody,
  withoutAttempt,
} from "./delivery.ts";
import { deliveryRepo } from "./delivery-repo.ts";
import { createInFlight } from "./in-flight.ts";
import { outboxRepo } from "./outbox-repo.ts";
import { receiverTimeoutMs, type SendWebhook } from "./sender.ts";
import { deriveWebhookSecret, signatureHeaders } from "./signature.ts";
import { targetUrlProblem } from "./target-url.ts";

/** With 20 subscriptions each, the deliveries inserted by one batch stay in the low thousands. */
const maxEventsPerBatch = 100;

const leaseMs = minute;
/** How late in its lease an attempt may start and still end within it. */
const latestStartMs = leaseMs - receiverTimeoutMs - 5 * second;
/** Deliveries held in memory at a time. */
const maxClaimed = 60;
/** More deliveries are claimed when so few are left, so that connections do not fall idle. */
const refillAt = 12;

export type DeliveryRun = Readonly<{
  send: SendWebhook;
  limiter: ConcurrencyLimiter;
  /** The time, in epoch ms, after which only the first deliveries are claimed. */
  claimUntil: number;
  /** Whether the run may query the database once more; an invocation's queries are limited. */
  mayQueryAgain: () => boolean;
}>;

export type DeliveryRunResult = Readonly<{
  /** Whether the run stopped before all due deliveries were made. */
  hasMore: boolean;
  /** The earliest retry that this run scheduled. */
  nextRetryAt: number | null;
}>;

/**
 * Creates a delivery for each undispatched event and each active subscription that lists its type.
 * Safe to run concurrently: an event gets one delivery per subscription.
 *
 * @returns whether more events may be undispatched.
 */
export async function createDeliveries(ctx: DeliveryContext): Promise<boolean> {
  const dispatched = await outboxRepo(ctx).createDeliveries({
    idStem: ctx.newId("dlv").slice(0, -3),
    now: ctx.now(),
    limit: maxEventsPerBatch,
  });
  return dispatched === maxEventsPerBatch;
}

/**
 * Makes the business's due deliveries: claims some under a lease, posts them concurrently, records
 * the outcomes and claims the next. A run that dies leaves leases that expire, so that its
 * deliveries are made again: each is made at least once.
 *
 * @throws what an attempt threw, after the outcomes of the others are recorded.
 */
export async function deliverDue(
  ctx: DeliveryContext,
  run: DeliveryRun,
): Promise<DeliveryRunResult> {
  const repo = deliveryRepo(ctx);
  const attemptDelivery = createAttempts(ctx, run);
  const inFlight = createInFlight<DeliveryUpdate>();
  let nextRetryAt: number | null = null;

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
    for (const delivery of claimed) inFlight.add(attemptDelivery(delivery));
    if (inFlight.isDrained()) return { hasMore: !mayClaim, nextRetryAt };
    await inFlight.waitUntilAtMost(refillAt);
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
 * The attempts of one run. When a receiver fails during the run, its other claimed deliveries are
 * returned unattempted.
 */
function createAttempts(ctx: DeliveryContext, { send, limiter }: DeliveryRun) {
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
      const outcome = await postDelivery(ctx, delivery, { send, at });
      isFailingByReceiver.set(receiver, outcome.error !== null);
      const durationMs = Math.max(0, ctx.now() - at); // the clock may have been set back
      return afterAttempt(delivery, outcome, { at, durationMs });
    });
  };
}

async function postDelivery(
  { webhooks }: DeliveryContext,
  { event, subscription }: DueDelivery,
  { send, at }: { send: SendWebhook; at: number },
): Promise<SendOutcome> {
  const { id: subscriptionId, url } = subscription;
  // Checked again: the rules or the deployment's settings may be stricter than at registration.
  if (targetUrlProblem(url, webhooks)) return { statusCode: null, error: "address not allowed" };
  const secretOf = (generation: number) =>
    deriveWebhookSecret(webhooks.signingSecret, { subscriptionId, generation });
  const [current, ...retired] = signingGenerations(subscription, at);
  const body = webhookBody(event);
  const signature = await signatureHeaders({
    eventId: event.id,
    body,
    at,
    secrets: [await secretOf(current), ...(await Promise.all(retired.map(secretOf)))],
  });
  return send({
    url,
    body,
    headers: {
      "Content-Type": "application/json",
      "User-Agent": "Duka-Webhooks",
      ...signature,
    },
  });
}
