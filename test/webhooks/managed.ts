import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { deliverDue, layOutDeliveries } from "../../shared/webhooks/index.ts";
import { rowsOf } from "../support/shop-database.ts";
import { type CallOptions, call, givenBusiness } from "../support/world.ts";
import {
  failing,
  givenEvents,
  givenReceiver,
  givenSubscription,
  webhookContextOf,
  wholeRun,
} from "./given.ts";

/** The shop's server, on the storefront's surface. */
export const server =
  ({ keys }: CreatedBusiness) =>
  (method: string, path: string, { headers, ...options }: CallOptions = {}) =>
    call(method, `/api/v1${path}`, {
      ...options,
      headers: { "X-API-Key": keys.secret, ...headers },
    });

/** A shop with one subscription, whose secret is known. */
export async function givenShop() {
  const shop = await givenBusiness();
  const ctx = webhookContextOf(shop);
  const { secret, ...subscription } = await givenSubscription(ctx);
  return { shop, ctx, id: subscription.id, secret, ask: server(shop) };
}

/** Has so many events delivered to the shop's subscription, which answers as told. */
export async function delivered(
  { ctx }: Awaited<ReturnType<typeof givenShop>>,
  count = 1,
  isUp = true,
) {
  await givenEvents(ctx, count);
  await layOutDeliveries(ctx);
  const { received, send } = givenReceiver(isUp ? undefined : () => failing);
  await deliverDue(ctx, { ...wholeRun(), send });
  return received;
}

/** The shop's audit entries, in order. */
export const audited = (shop: CreatedBusiness) =>
  rowsOf(
    shop,
    "select action, before, after from audit_entries where business_id = ? order by rowid",
    shop.business.id,
  );

export const notFound = { status: 404, body: { error: { code: "NOT_FOUND" } } };
export const disabled = {
  status: 422,
  body: { error: { code: "BUSINESS_RULE_VIOLATION", context: { rule: "WEBHOOK_DISABLED" } } },
};
