import { minute, second } from "../kernel/index.ts";
import type { DeliveryContext } from "./context.ts";
import {
  bodyOf,
  type DueDelivery,
  putBack,
  type SendOutcome,
  type SettledDelivery,
  settle,
  signingGenerations,
} from "./delivery.ts";
import { deliveryRepo } from "./delivery-repo.ts";
import { flightsOf } from "./flights.ts";
import type { Lanes } from "./lanes.ts";
import { secretOf } from "./secret.ts";
import { receiverTimeoutMs, type SendWebhook } from "./sender.ts";
import { signatureHeaders } from "./signature.ts";
import { checkTargetUrl } from "./target-url.ts";

const leaseMs = minute;
/** No attempt begins when its lease might end before it does. */
const latestStartMs = leaseMs - receiverTimeoutMs - 5 * second;
/** In hand at once, so that memory is bounded whatever waits. */
const maxInHand = 60;
/** The next are taken when so few are left, so that no lane falls empty meanwhile. */
const refillAt = 12;

export type DeliveryRun = Readonly<{
  send: SendWebhook;
  lanes: Lanes;
  /** No delivery is taken in hand after it, in epoch ms, but the first ones. */
  until: number;
  /** Asks leave for one more visit to the database; what one run may ask it is limited. */
  mayGoOn: () => boolean;
}>;

export type Delivered = Readonly<{
  /** Whether the run was over before the work was. */
  hasMore: boolean;
  /** The earliest retry that this run planned. */
  nextRetryAt: number | null;
}>;

/**
 * Makes the business's due deliveries: takes some in hand under a lease, posts them side by side,
 * writes down what came of them and takes the next. Whoever dies before writing down leaves leases
 * that end, so that those deliveries are made again: at least once.
 *
 * @throws what an attempt threw, when what came of the others is written down.
 */
export async function deliverDue(ctx: DeliveryContext, run: DeliveryRun): Promise<Delivered> {
  const repo = deliveryRepo(ctx);
  const attempt = attempts(ctx, run);
  const flights = flightsOf<SettledDelivery>();
  let nextRetryAt: number | null = null;

  for (let isFirst = true; ; isFirst = false) {
    const mayTake = !flights.hasFailed() && (isFirst || (ctx.now() < run.until && run.mayGoOn()));
    const now = ctx.now();
    const settled = flights.landed();
    nextRetryAt = earliestRetry(settled, nextRetryAt);
    const taken = await repo.recordAndTake(settled, {
      now,
      leaseUntil: now + leaseMs,
      auditStem: ctx.newId("aud").slice(0, -3),
      limit: mayTake ? maxInHand - flights.underWay() : 0,
    });
    for (const delivery of taken) flights.start(attempt(delivery));
    if (flights.areOver()) return { hasMore: !mayTake, nextRetryAt };
    await flights.untilLeft(refillAt);
  }
}

const earliestRetry = (settled: readonly SettledDelivery[], known: number | null): number | null =>
  settled.reduce(
    (earliest, { hasArrived, nextAttemptAt }) =>
      hasArrived === false && nextAttemptAt !== null
        ? Math.min(nextAttemptAt, earliest ?? nextAttemptAt)
        : earliest,
    known,
  );

/** Makes attempts of one run. What a receiver that just failed was to get besides is put back. */
function attempts(ctx: DeliveryContext, { send, lanes }: DeliveryRun) {
  const failing = new Map<string, boolean>();

  return async function attempt(delivery: DueDelivery): Promise<SettledDelivery> {
    const { id: receiver, failedAttempts } = delivery.subscription;
    const wasFailing = failing.get(receiver) ?? failedAttempts > 0;
    const isFailing = () => failing.get(receiver) ?? wasFailing;
    return lanes.run({ receiver, isFailing }, async () => {
      const at = ctx.now();
      const hasFailedSince = isFailing() && !wasFailing;
      const isLate = at > delivery.leaseUntil - leaseMs + latestStartMs;
      if (hasFailedSince || isLate) return putBack(delivery);
      const outcome = await post(ctx, delivery, { send, at });
      failing.set(receiver, outcome.error !== null);
      const durationMs = Math.max(0, ctx.now() - at); // a clock may be put back meanwhile
      return settle(delivery, outcome, { at, durationMs });
    });
  };
}

async function post(
  { webhooks }: DeliveryContext,
  { event, subscription }: DueDelivery,
  { send, at }: { send: SendWebhook; at: number },
): Promise<SendOutcome> {
  const { id: subscriptionId, url } = subscription;
  // Checked again: the rules, or the deployment's settings, may be stricter than at registration.
  if (checkTargetUrl(url, webhooks)) return { statusCode: null, error: "address not allowed" };
  const secret = (generation: number) =>
    secretOf(webhooks.signingSecret, { subscriptionId, generation });
  const [current, ...older] = signingGenerations(subscription, at);
  const body = bodyOf(event);
  const signature = await signatureHeaders({
    eventId: event.id,
    body,
    at,
    secrets: [await secret(current), ...(await Promise.all(older.map(secret)))],
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
