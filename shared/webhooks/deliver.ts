import { minute } from "../kernel/index.ts";
import type { DeliveryContext } from "./context.ts";
import {
  abandoned,
  bodyOf,
  type DueDelivery,
  isReceiving,
  type SendOutcome,
  type SettledDelivery,
  settle,
  signingGenerations,
} from "./delivery.ts";
import { deliveryRepo } from "./delivery-repo.ts";
import { secretOf } from "./secret.ts";
import type { SendWebhook } from "./sender.ts";
import { signatureHeaders } from "./signature.ts";
import { checkTargetUrl } from "./target-url.ts";

const leaseMs = minute;
/** As many as can be posted at once; three businesses' worth, all timing out, still fit into a lease. */
const maxClaimed = 6;

export type Delivered = Readonly<{
  /** Whether the time ran out before the work did. */
  hasMore: boolean;
  /** The earliest retry that this run planned. */
  nextRetryAt: number | null;
}>;

/**
 * Makes the business's due deliveries, round by round: claim under a lease, post, record. Whoever
 * dies before recording leaves a lease that ends, so that the delivery is made again: at least once.
 *
 * @param until no round starts after it, but the first.
 */
export async function deliverDue(
  ctx: DeliveryContext,
  { send, until }: { send: SendWebhook; until: number },
): Promise<Delivered> {
  const repo = deliveryRepo(ctx);
  const retries: number[] = [];
  do {
    const now = ctx.now();
    const leaseUntil = now + leaseMs;
    const claimed = await repo.claim({ now, leaseUntil, limit: maxClaimed });
    const settled = await Promise.all(claimed.map((delivery) => attempt(ctx, delivery, send)));
    if (settled.length > 0) await repo.record(settled, leaseUntil);
    retries.push(...settled.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []));
    if (claimed.length < maxClaimed) return { hasMore: false, nextRetryAt: earliest(retries) };
  } while (ctx.now() < until);
  return { hasMore: true, nextRetryAt: earliest(retries) };
}

const earliest = (times: readonly number[]): number | null =>
  times.length > 0 ? Math.min(...times) : null;

async function attempt(
  ctx: DeliveryContext,
  delivery: DueDelivery,
  send: SendWebhook,
): Promise<SettledDelivery> {
  if (!isReceiving(delivery.subscription)) return abandoned(delivery);
  const at = ctx.now();
  const outcome = await post(ctx, delivery, { send, at });
  return settle(delivery, outcome, { at, durationMs: ctx.now() - at });
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
