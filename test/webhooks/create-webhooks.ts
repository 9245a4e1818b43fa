import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { loadOrderPayloads } from "../../functions/background/order-payloads.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { commit, type Db } from "../../shared/database/index.ts";
import { type EventType, exampleEvent } from "../../shared/events/index.ts";
import {
  createConcurrencyLimiter,
  createDeliveries,
  createWebhook,
  type OutgoingWebhook,
  type SendOutcome,
  type SendWebhook,
  type WebhookContext,
  type WebhookPayload,
  type WebhookWithSecret,
} from "../../shared/webhooks/index.ts";
import { webhookDeliveries, webhookSubscriptions } from "../../shared/webhooks/tables.ts";
import { contextFor, createBusiness } from "../support/world.ts";

const noon = Date.UTC(2026, 10, 20, 12);

/** A business with a clock that the test sets. */
export async function createShopWithClock() {
  const created = await createBusiness();
  const clock = { now: noon };
  const ctx: WebhookContext = {
    ...createWebhookContext(created),
    now: () => clock.now,
  };
  return { ...created, ctx, clock };
}

export const createWebhookContext = (
  created: Pick<CreatedBusiness, "business">,
): WebhookContext => ({
  ...contextFor(created),
  webhooks: { signingSecrets: [env.WEBHOOK_SIGNING_SECRET], allowLocal: false },
  mayReadOrders: true,
});

export const createWebhookSubscription = (
  ctx: WebhookContext,
  {
    url = "https://receiver.example.com/hook",
    events = ["order.created"],
    payload = "compact",
  }: { url?: string; events?: EventType[]; payload?: WebhookPayload } = {},
): Promise<WebhookWithSecret> => createWebhook(ctx, { url, events, description: null, payload });

/** Writes events of the type in one commit, as checkout does. */
export async function emitEvents(
  ctx: WebhookContext,
  count = 1,
  type: EventType = "order.created",
): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => exampleEvent(type, `ord_${index}`));
  await commit(ctx, { writes: [], events });
}

export type ReceivedWebhook = OutgoingWebhook & Readonly<{ eventId: string }>;

/** A receiver that records its webhooks and responds with the given outcome. */
export function createReceiver(
  outcomeFor: (received: ReceivedWebhook) => SendOutcome = () => okOutcome,
) {
  const received: ReceivedWebhook[] = [];
  const send: SendWebhook = async (webhook) => {
    const webhookReceived = { ...webhook, eventId: String(JSON.parse(webhook.body).id) };
    received.push(webhookReceived);
    await new Promise((resolve) => setTimeout(resolve, 1)); // lets other calls run
    return outcomeFor(webhookReceived);
  };
  return { received, send };
}

export const okOutcome: SendOutcome = { statusCode: 200, error: null };
export const failedOutcome: SendOutcome = { statusCode: 500, error: "status 500" };

export const listDeliveryRows = ({ db, business }: { db: Db; business: { id: string } }) =>
  db
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.businessId, business.id))
    .orderBy(webhookDeliveries.id);

export async function loadSubscription({ db }: { db: Db }, id: string) {
  const row = await db
    .select()
    .from(webhookSubscriptions)
    .where(eq(webhookSubscriptions.id, id))
    .get();
  if (!row) throw new Error(`No subscription ${id}.`);
  return row;
}

export const updateSubscription = (
  { db }: { db: Db },
  id: string,
  change: Partial<typeof webhookSubscriptions.$inferInsert>,
) => db.update(webhookSubscriptions).set(change).where(eq(webhookSubscriptions.id, id));

/** A run without limits. */
export const unlimitedRun = () => ({
  limiter: createConcurrencyLimiter({ total: 6, perReceiver: 3, forFailing: 3 }),
  claimUntil: Number.MAX_SAFE_INTEGER,
  mayQueryAgain: () => true,
  loadOrderPayloads,
  loadPlatformPayloads: async () => new Map(),
  signPlatformWebhook: async () => null,
});

/** A business with one subscription and this many due deliveries. */
export async function createDueDeliveries(count = 1, type: EventType = "order.created") {
  const shop = await createShopWithClock();
  const subscription = await createWebhookSubscription(shop.ctx, { events: [type] });
  await emitEvents(shop.ctx, count, type);
  await createDeliveries(shop.ctx);
  return { ...shop, subscription };
}
