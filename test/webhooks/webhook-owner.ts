import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createDeliveries, deliverDue } from "../../shared/webhooks/index.ts";
import { selectRows } from "../support/select-rows.ts";
import { type CallOptions, call, createBusiness } from "../support/world.ts";
import {
  createReceiver,
  createWebhookContext,
  createWebhookSubscription,
  emitEvents,
  failedOutcome,
  unlimitedRun,
} from "./create-webhooks.ts";

/** Calls of the storefront API with the shop's secret key. */
export const serverOf =
  ({ keys }: CreatedBusiness) =>
  (method: string, path: string, { headers, ...options }: CallOptions = {}) =>
    call(method, `/api/v1${path}`, {
      ...options,
      headers: { "X-API-Key": keys.secret, ...headers },
    });

/** A shop with one webhook and its secret. */
export async function createShopWithWebhook() {
  const shop = await createBusiness();
  const ctx = createWebhookContext(shop);
  const { secret, ...subscription } = await createWebhookSubscription(ctx);
  return { shop, ctx, id: subscription.id, secret, ask: serverOf(shop) };
}

/** Emits this many events and delivers them to a receiver that is up or down. */
export async function deliverEvents(
  { ctx }: Awaited<ReturnType<typeof createShopWithWebhook>>,
  count = 1,
  isUp = true,
) {
  await emitEvents(ctx, count);
  await createDeliveries(ctx);
  const { received, send } = createReceiver(isUp ? undefined : () => failedOutcome);
  await deliverDue(ctx, { ...unlimitedRun(), send });
  return received;
}

/** The shop's audit entries, in order. */
export const listAuditEntries = (shop: CreatedBusiness) =>
  selectRows(
    shop,
    "select action, before, after from audit_entries where business_id = ? order by rowid",
    shop.business.id,
  );

export const notFoundResponse = { status: 404, body: { error: { code: "NOT_FOUND" } } };
export const disabledRefusal = {
  status: 422,
  body: { error: { code: "BUSINESS_RULE_VIOLATION", context: { rule: "WEBHOOK_DISABLED" } } },
};
