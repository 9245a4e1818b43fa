import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { TestSubscription } from "../subscriptions/create-subscription.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { merchant } from "../support/world.ts";

type SubscriptionShop = CreatedBusiness;

/** When the monthly subscription of these tests starts, and when it is first renewed. */
export const startTime = "2030-01-31T09:00:00.000Z";
export const firstRenewalTime = "2030-02-28T09:00:00.000Z";

export const daysAfter = (time: string, days: number): number =>
  Date.parse(time) + days * 86_400_000;

/** Changes the phone that renewals charge to one with this last digit. */
export const setPhoneDigit = (
  shop: SubscriptionShop,
  { orderId }: Pick<TestSubscription, "orderId">,
  digit: "0" | "1" | "2" | "3" | "4",
) =>
  selectRows(
    shop,
    "update order_lines set subscription = json_set(subscription, '$.mobileMoney.phoneNumber', ?) where order_id = ?",
    `+23324123456${digit}`,
    orderId,
  );

/** The order of a subscription's first renewal. */
export async function findRenewalOrder(
  shop: SubscriptionShop,
  { id }: Pick<TestSubscription, "id">,
): Promise<string> {
  const [row] = await selectRows(
    shop,
    "select order_id from subscription_invoices where subscription_id = ? and cycle = 2",
    id,
  );
  return String(row?.order_id);
}

export async function loadSubscriptionState(
  shop: SubscriptionShop,
  { id }: Pick<TestSubscription, "id">,
) {
  const [row] = await selectRows(
    shop,
    "select status, attempts, failure_reason, cycle, next_cycle from subscriptions where id = ?",
    id,
  );
  return row;
}

/** The business's newest order. */
export async function findNewestOrder(shop: SubscriptionShop): Promise<string> {
  const [order] = await selectRows(
    shop,
    "select id from orders where business_id = ? order by created_at desc, id desc limit 1",
    shop.business.id,
  );
  return String(order?.id);
}

/** The subscription that an order started. */
export async function findSubscriptionOf(
  shop: SubscriptionShop,
  { orderId }: Pick<TestSubscription, "orderId">,
): Promise<string> {
  const [row] = await selectRows(shop, "select id from subscriptions where order_id = ?", orderId);
  return String(row?.id);
}

/** The number of subscription.renewed events. */
export const countRenewals = async (shop: SubscriptionShop): Promise<number> =>
  (await listOutboxEventTypes(shop)).filter((type) => type === "subscription.renewed").length;

/** A paid period of two items at 7.00. */
export const paidPeriod = {
  invoice: "paid",
  status: "confirmed",
  payment_status: "captured",
  total: 1_400,
};

export const callAsMerchant = (shop: SubscriptionShop, path: string, body: object = {}) =>
  merchant(shop)("POST", path, { body });
