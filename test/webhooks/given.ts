import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { commit, type Db } from "../../shared/database/index.ts";
import { type EventType, exampleOf } from "../../shared/events/index.ts";
import {
  lanes,
  layOutDeliveries,
  type OutgoingWebhook,
  type SendOutcome,
  type SendWebhook,
  type Subscribed,
  subscribe,
  type WebhookContext,
} from "../../shared/webhooks/index.ts";
import { webhookDeliveries, webhookSubscriptions } from "../../shared/webhooks/tables.ts";
import { contextFor, givenBusiness } from "../support/world.ts";

const noon = Date.UTC(2026, 10, 20, 12);

/** A business with a clock of its own. */
export async function givenShop() {
  const created = await givenBusiness();
  const clock = { now: noon };
  const ctx: WebhookContext = {
    ...webhookContextOf(created),
    now: () => clock.now,
  };
  return { ...created, ctx, clock };
}

export const webhookContextOf = (created: Pick<CreatedBusiness, "business">): WebhookContext => ({
  ...contextFor(created),
  webhooks: { signingSecret: env.WEBHOOK_SIGNING_SECRET, allowLocal: false },
});

export const givenSubscription = (
  ctx: WebhookContext,
  {
    url = "https://receiver.example.com/hook",
    events = ["order.created"],
  }: { url?: string; events?: EventType[] } = {},
): Promise<Subscribed> => subscribe(ctx, { url, events, description: null });

/** Events of the type, in one commit, as checkout makes them. */
export async function givenEvents(
  ctx: WebhookContext,
  count = 1,
  type: EventType = "order.created",
): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => exampleOf(type, `ord_${index}`));
  await commit(ctx, { writes: [], events });
}

export type Received = OutgoingWebhook & Readonly<{ eventId: string }>;

/** A receiver that keeps what it gets and answers as told. */
export function givenReceiver(answers: (received: Received) => SendOutcome = () => ok) {
  const received: Received[] = [];
  const send: SendWebhook = async (webhook) => {
    const taken = { ...webhook, eventId: String(JSON.parse(webhook.body).id) };
    received.push(taken);
    await new Promise((resolve) => setTimeout(resolve, 1)); // so that others run meanwhile
    return answers(taken);
  };
  return { received, send };
}

export const ok: SendOutcome = { statusCode: 200, error: null };
export const failing: SendOutcome = { statusCode: 500, error: "status 500" };

export const deliveriesOf = ({ db, business }: { db: Db; business: { id: string } }) =>
  db
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.businessId, business.id))
    .orderBy(webhookDeliveries.id);

export async function subscriptionOf({ db }: { db: Db }, id: string) {
  const row = await db
    .select()
    .from(webhookSubscriptions)
    .where(eq(webhookSubscriptions.id, id))
    .get();
  if (!row) throw new Error(`no subscription ${id}`);
  return row;
}

export const changeSubscription = (
  { db }: { db: Db },
  id: string,
  change: Partial<typeof webhookSubscriptions.$inferInsert>,
) => db.update(webhookSubscriptions).set(change).where(eq(webhookSubscriptions.id, id));

/** A run that nothing ends but the work's own end. */
export const wholeRun = () => ({
  lanes: lanes({ count: 6, ofOneReceiver: 3, ofFailing: 3 }),
  until: Number.MAX_SAFE_INTEGER,
  mayGoOn: () => true,
});

/** A business with one subscription and so many deliveries that are due. */
export async function givenDue(count = 1, type: EventType = "order.created") {
  const shop = await givenShop();
  const subscription = await givenSubscription(shop.ctx, { events: [type] });
  await givenEvents(shop.ctx, count, type);
  await layOutDeliveries(shop.ctx);
  return { ...shop, subscription };
}
