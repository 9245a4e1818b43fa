import { env } from "cloudflare:workers";
import { runtime } from "../../functions/runtime/runtime.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createMeter, openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import type { OrderContext } from "../../shared/orders/index.ts";
import { type PaymentProvider, sandboxProvider } from "../../shared/payments/index.ts";
import { type CrashPoint, neverCrash } from "./faults.ts";
import { lookupOf } from "./provider-lookup.ts";
import { selectRows } from "./select-rows.ts";
import { type ApiClient, contextFor, dataOf, shopper, type TestBusiness } from "./world.ts";

/** What the checkout returned about an order. */
export type PlacedOrder = Readonly<{
  id: string;
  token: string;
  paymentId: string;
  number: string;
}>;

/** Cash, a card, or the last digit of a mobile money number, which decides what the sandbox does. */
export type OrderPaymentMethod = "cash" | "card" | "0" | "1" | "2" | "3" | "4";

/** Orders a product through the storefront; `fields` replace fields of the checkout. */
export async function createOrder(
  shop: CreatedBusiness,
  itemId: string,
  { payWith = "0", quantity = 2, fields = {}, ask = shopper(shop) }: CreateOrderOptions = {},
): Promise<PlacedOrder> {
  const added = await ask("POST", "/cart/items", { body: { item_id: itemId, quantity } });
  if (added.status !== 200) throw new Error(JSON.stringify(added.body));
  const payment =
    payWith === "cash" || payWith === "card"
      ? { payment_method: payWith }
      : {
          payment_method: "mobile_money",
          mobile_money_details: { phone_number: `024123456${payWith}`, provider: "mtn" },
        };
  const response = await ask("POST", "/checkout", {
    body: { cart_id: dataOf(added).id, customer: { phone: "0241234567" }, ...payment, ...fields },
  });
  if (response.status !== 200) throw new Error(JSON.stringify(response.body));
  const { order_id, bill_token, payment_id, order_number } = dataOf(response);
  return { id: order_id, token: bill_token, paymentId: payment_id, number: order_number };
}

/** Checks out with a phone that is declined. Returns the id of the order that waits for a payment. */
export async function createDeclinedOrder(ask: ApiClient, itemId: string): Promise<string> {
  const added = await ask("POST", "/cart/items", { body: { item_id: itemId, quantity: 2 } });
  const declined = await ask("POST", "/checkout", {
    body: {
      cart_id: dataOf(added).id,
      customer: { phone: "0241234567" },
      payment_method: "mobile_money",
      mobile_money_details: { phone_number: "0241234563", provider: "mtn" },
    },
  });
  if (declined.status !== 503) throw new Error(JSON.stringify(declined.body));
  return Object(declined.body).error.context.order_id;
}

export type CreateOrderOptions = Readonly<{
  payWith?: OrderPaymentMethod;
  quantity?: number;
  fields?: object;
  ask?: ApiClient;
}>;

/** The quantities on hand and reserved of an item that is stocked at one location. */
export async function readStockQuantities(shop: TestBusiness, itemId: string): Promise<unknown[]> {
  const [level] = await selectRows(
    shop,
    "select quantity_on_hand, quantity_reserved from stock_levels where item_id = ?",
    itemId,
  );
  return [level?.quantity_on_hand, level?.quantity_reserved];
}

/** What the sandbox provider has refunded of an order's charge, in minor units. */
export async function readRefundedMinor(
  shop: TestBusiness,
  { id }: Pick<PlacedOrder, "id">,
): Promise<unknown> {
  const [charge] = await selectRows(
    shop,
    "select refunded_minor from sandbox_charges where order_id = ?",
    id,
  );
  return charge?.refunded_minor;
}

const noAnswer = { type: "no_answer" } as const;

/** A context for use cases on orders. Every batch and provider call is an effect of the crash point. */
export function createOrderContext(
  shop: TestBusiness,
  { crashPoint = neverCrash, provider = {} }: OrderContextOptions = {},
): OrderContext {
  const ctx = contextFor(shop, { type: "merchant", id: "key_test" });
  const d1 = shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business);
  const sandbox = sandboxProvider(openDb(d1, createMeter()), {
    now: runtime.now,
    cardPageUrl: () => "",
  });
  const crashingProvider = withCrashes({ ...sandbox, ...provider }, crashPoint);
  const source = {
    prepare: (query: string) => d1.prepare(query),
    batch: <T>(statements: D1PreparedStatement[]) => crashPoint(() => d1.batch<T>(statements)),
  };
  return {
    ...ctx,
    db: openDb(source, createMeter()),
    providers: lookupOf(crashingProvider),
  };
}

type OrderContextOptions = Readonly<{
  crashPoint?: CrashPoint;
  /** Replaces methods of the sandbox provider. */
  provider?: Partial<PaymentProvider>;
}>;

/** The provider, whose every call is an effect of the crash point. */
export const withCrashes = (
  provider: PaymentProvider,
  crashPoint: CrashPoint,
): PaymentProvider => ({
  ...provider,
  charge: (request) => crashPoint(() => provider.charge(request)),
  ...(provider.chargeAgain && {
    chargeAgain: (request) => crashPoint(async () => provider.chargeAgain?.(request) ?? noAnswer),
  }),
  authorize: (authorization) => crashPoint(() => provider.authorize(authorization)),
  verify: (reference, by) => crashPoint(() => provider.verify(reference, by)),
  ...(provider.voidCharge && {
    voidCharge: (reference, facts) =>
      crashPoint(async () => provider.voidCharge?.(reference, facts) ?? { type: "no_answer" }),
  }),
  refund: (request) => crashPoint(() => provider.refund(request)),
});
