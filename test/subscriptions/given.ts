import { vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  type BillingPlan,
  createBillingPlan,
  type NewBillingPlan,
  type NewProduct,
  type Product,
} from "../../shared/catalogue/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { cronFor } from "../support/cron.ts";
import { dataOf, givenSale, type How } from "../support/orders.ts";
import { loggedInShopper } from "../support/sessions.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, type shopper } from "../support/world.ts";

type Shop = CreatedBusiness;
type Ask = ReturnType<typeof shopper>;

export type Subscribed = Readonly<{
  id: string;
  ask: Ask;
  plan: BillingPlan;
  product: Product;
  orderId: string;
  token: string;
  paymentId: string;
  customerId: string;
}>;

export async function givenPlan(
  shop: Shop,
  fields: Partial<NewBillingPlan> = {},
): Promise<BillingPlan> {
  const { plan } = await createBillingPlan(contextFor(shop), {
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

export type Wish = Readonly<{
  plan?: Partial<NewBillingPlan>;
  product?: Partial<NewProduct>;
  how?: How;
  quantity?: number;
  /** A shopper who is logged in already. */
  customer?: Readonly<{ ask: Ask; customerId: string }>;
  prepare?: (product: Product) => Promise<unknown>;
}>;

/** A sale of a plan, as far as its checkout brings it; `id` is empty where it has not begun. */
export async function givenSubscribed(
  shop: Shop,
  { plan: terms = {}, product: goods = {}, how = "0", quantity = 2, customer, prepare }: Wish = {},
): Promise<Subscribed> {
  const plan = await givenPlan(shop, terms);
  const product = await givenProduct(shop, { billingPlanIds: [plan.id], ...goods });
  await prepare?.(product);
  const { ask, customerId } = customer ?? (await loggedInShopper(shop));
  const planned: Ask = (method, path, options = {}) =>
    ask(method, path, path === "/cart/items" ? withPlan(options, plan.id) : options);
  const sale = await givenSale(shop, product.id, { how, quantity, ask: planned });
  const [row] = await rowsOf(shop, "select id from subscriptions where order_id = ?", sale.id);
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

const withPlan = (options: Parameters<Ask>[2], planId: string) => ({
  ...options,
  body: { ...Object(options?.body), billing_plan_id: planId },
});

/** The customer of a subscription after their session's thirty days: with the same browser, and the same contact. */
export const loggedInAgain = (shop: Shop, { ask }: Pick<Subscribed, "ask">) =>
  loggedInShopper(shop, undefined, ask);

export const detailOf = async ({ ask, id }: Pick<Subscribed, "ask" | "id">) =>
  dataOf(await ask("GET", `/subscriptions/${id}`));

export const summaryOf = async (subscribed: Pick<Subscribed, "ask" | "id">) =>
  (await detailOf(subscribed)).subscription;

/** Runs the jobs at an instant, until nothing of the shop is due then. */
export async function cronAt(shop: Shop, time: string | number): Promise<void> {
  vi.setSystemTime(time);
  await cronFor(shop);
}

/** The orders of a subscription, the oldest first, with what became of their payments. */
export const ordersOf = (shop: Shop, { id }: Pick<Subscribed, "id">) =>
  rowsOf(
    shop,
    `select invoice.cycle, invoice.status as invoice, o.status, o.payment_status, o.total_price_minor as total
      from subscription_invoices as invoice join orders as o on o.id = invoice.order_id
      where invoice.subscription_id = ? order by invoice.cycle`,
    id,
  );

/** What the provider took for an order, by its own books: how often and how much. */
export const chargesOf = (shop: Shop, { id }: Pick<Subscribed, "id">) =>
  rowsOf(
    shop,
    `select invoice.cycle, count(*) as charges, sum(charge.amount_minor) as total
      from subscription_invoices as invoice join sandbox_charges as charge
        on charge.order_id = invoice.order_id and charge.status = 'captured'
      where invoice.subscription_id = ? group by invoice.cycle order by invoice.cycle`,
    id,
  );
