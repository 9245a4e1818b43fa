import { vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  type BillingPlan,
  merchantCatalogue,
  type NewProduct,
  type Product,
} from "../../shared/catalogue/index.ts";
import { createOrder, type OrderPaymentMethod } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { runJobsUntilIdle } from "../support/cron.ts";
import { selectRows } from "../support/select-rows.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { type ApiClient, contextFor, dataOf } from "../support/world.ts";

type SubscriptionShop = CreatedBusiness;

export type TestSubscription = Readonly<{
  id: string;
  ask: ApiClient;
  plan: BillingPlan;
  product: Product;
  orderId: string;
  token: string;
  paymentId: string;
  customerId: string;
}>;

export async function createPlan(
  shop: SubscriptionShop,
  fields: Partial<merchantCatalogue.NewBillingPlan> = {},
): Promise<BillingPlan> {
  const { plan } = await merchantCatalogue.createBillingPlan(contextFor(shop), {
    name: "Monthly",
    interval: "month",
    intervalCount: 1,
    priceMinor: 700,
    trialDays: 0,
    minQuantity: 1,
    minOrderValueMinor: 0,
    ...fields,
  });
  return plan;
}

export type SubscriptionOptions = Readonly<{
  plan?: Partial<merchantCatalogue.NewBillingPlan>;
  product?: Partial<NewProduct>;
  how?: OrderPaymentMethod;
  quantity?: number;
  /** A shopper who is logged in already. */
  customer?: Readonly<{ ask: ApiClient; customerId: string }>;
  prepare?: (product: Product) => Promise<unknown>;
  /** Fields of the checkout, such as other contacts. */
  fields?: object;
}>;

/** Buys a plan; `id` is empty when the checkout does not start the subscription. */
export async function createSubscription(
  shop: SubscriptionShop,
  {
    plan: planFields = {},
    product: productFields = {},
    how = "0",
    quantity = 2,
    customer,
    prepare,
    fields = {},
  }: SubscriptionOptions = {},
): Promise<TestSubscription> {
  const plan = await createPlan(shop, planFields);
  const product = await createProduct(shop, { billingPlanIds: [plan.id], ...productFields });
  await prepare?.(product);
  const { ask, customerId } = customer ?? (await createLoggedInShopper(shop));
  const planned: ApiClient = (method, path, options = {}) =>
    ask(method, path, path === "/cart/items" ? withBillingPlan(options, plan.id) : options);
  const sale = await createOrder(shop, product.id, {
    payWith: how,
    quantity,
    ask: planned,
    fields,
  });
  const [row] = await selectRows(shop, "select id from subscriptions where order_id = ?", sale.id);
  return {
    id: String(row?.id ?? ""),
    ask,
    plan,
    product,
    orderId: sale.id,
    token: sale.token,
    paymentId: sale.paymentId,
    customerId,
  };
}

const withBillingPlan = (options: Parameters<ApiClient>[2], planId: string) => ({
  ...options,
  body: { ...Object(options?.body), billing_plan_id: planId },
});

/** Logs the customer in again in the same browser, after the session's thirty days. */
export const logInAgain = (shop: SubscriptionShop, { ask }: Pick<TestSubscription, "ask">) =>
  createLoggedInShopper(shop, undefined, ask);

export const loadSubscription = async ({ ask, id }: Pick<TestSubscription, "ask" | "id">) =>
  dataOf(await ask("GET", `/subscriptions/${id}`));

export const loadSummary = async (subscribed: Pick<TestSubscription, "ask" | "id">) =>
  (await loadSubscription(subscribed)).subscription;

/** Runs the jobs at an instant until nothing of the shop is due. */
export async function runCronAt(shop: SubscriptionShop, time: string | number): Promise<void> {
  vi.setSystemTime(time);
  await runJobsUntilIdle(shop);
}

/** The orders of a subscription with their payment status, oldest first. */
export const loadPeriodOrders = (shop: SubscriptionShop, { id }: Pick<TestSubscription, "id">) =>
  selectRows(
    shop,
    `select invoice.cycle, invoice.status as invoice, o.status, o.payment_status, o.total_price_minor as total
      from subscription_invoices as invoice join orders as o on o.id = invoice.order_id
      where invoice.subscription_id = ? order by invoice.cycle`,
    id,
  );

/** The captured charges per period, by the provider's records. */
export const loadCharges = (shop: SubscriptionShop, { id }: Pick<TestSubscription, "id">) =>
  selectRows(
    shop,
    `select invoice.cycle, count(*) as charges, sum(charge.amount_minor) as total
      from subscription_invoices as invoice join sandbox_charges as charge
        on charge.order_id = invoice.order_id and charge.status = 'captured'
      where invoice.subscription_id = ? group by invoice.cycle order by invoice.cycle`,
    id,
  );
