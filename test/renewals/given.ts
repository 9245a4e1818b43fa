import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Subscribed } from "../subscriptions/given.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { merchant } from "../support/world.ts";

type Shop = CreatedBusiness;

/** When a monthly subscription of these tests begins, and when it is renewed first. */
export const start = "2030-01-31T09:00:00.000Z";
export const due = "2030-02-28T09:00:00.000Z";

export const later = (time: string, days: number): number => Date.parse(time) + days * 86_400_000;

/** From here on the sandbox is asked to charge a phone that ends in that digit. */
export const paysFrom = (
  shop: Shop,
  { orderId }: Pick<Subscribed, "orderId">,
  digit: "0" | "1" | "2" | "3" | "4",
) =>
  rowsOf(
    shop,
    "update order_lines set subscription = json_set(subscription, '$.mobileMoney.phoneNumber', ?) where order_id = ?",
    `+23324123456${digit}`,
    orderId,
  );

/** The order of a subscription's first renewal. */
export async function renewalOf(shop: Shop, { id }: Pick<Subscribed, "id">): Promise<string> {
  const [row] = await rowsOf(
    shop,
    "select order_id from subscription_invoices where subscription_id = ? and cycle = 2",
    id,
  );
  return String(row?.order_id);
}

export async function stateOf(shop: Shop, { id }: Pick<Subscribed, "id">) {
  const [row] = await rowsOf(
    shop,
    "select status, attempts, failure_reason, cycle, next_cycle from subscriptions where id = ?",
    id,
  );
  return row;
}

/** The business's newest order. */
export async function lastOrder(shop: Shop): Promise<string> {
  const [order] = await rowsOf(
    shop,
    "select id from orders where business_id = ? order by created_at desc, id desc limit 1",
    shop.business.id,
  );
  return String(order?.id);
}

/** The subscription that an order began. */
export async function begunBy(
  shop: Shop,
  { orderId }: Pick<Subscribed, "orderId">,
): Promise<string> {
  const [row] = await rowsOf(shop, "select id from subscriptions where order_id = ?", orderId);
  return String(row?.id);
}

/** How many renewals were told of. */
export const renewals = async (shop: Shop): Promise<number> =>
  (await eventsOf(shop)).filter((type) => type === "subscription.renewed").length;

/** The order of a period that was paid for: two of seven. */
export const paid = {
  invoice: "paid",
  status: "confirmed",
  payment_status: "captured",
  total: 1_400,
};

export const merchantAsks = (shop: Shop, path: string, body: object = {}) =>
  merchant(shop)("POST", path, { body });
