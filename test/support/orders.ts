import { env } from "cloudflare:workers";
import { chance } from "../../functions/runtime/runtime.ts";
import { openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";
import type { OrderContext } from "../../shared/orders/index.ts";
import {
  cashProvider,
  type PaymentProvider,
  sandboxProvider,
} from "../../shared/payments/index.ts";
import { type Dies, never } from "./faults.ts";
import { rowsOf } from "./shop-database.ts";
import { type Answer, contextFor, shopper } from "./world.ts";

type Shop = Parameters<typeof contextFor>[0] & Parameters<typeof shopper>[0];

export const dataOf = ({ body }: Answer) => Object(body).data;

/** What a shopper keeps of a checkout. */
export type Sold = Readonly<{ id: string; token: string; paymentId: string; number: string }>;

/** cash, a card, or mobile money whose last digit decides what the sandbox does. */
export type How = "cash" | "card" | "0" | "1" | "2" | "3" | "4";

/** A sale of some pieces of a product through the storefront; `fields` are what matters to the test. */
export async function givenSale(
  shop: Shop,
  itemId: string,
  { how = "0", quantity = 2, fields = {}, ask = shopper(shop) }: SaleOptions = {},
): Promise<Sold> {
  const added = await ask("POST", "/cart/items", { body: { item_id: itemId, quantity } });
  if (added.status !== 200) throw new Error(JSON.stringify(added.body));
  const method =
    how === "cash" || how === "card"
      ? { payment_method: how }
      : {
          payment_method: "mobile_money",
          mobile_money_details: { phone_number: `024123456${how}`, provider: "mtn" },
        };
  const sold = await ask("POST", "/checkout", {
    body: { cart_id: dataOf(added).id, customer: { phone: "0241234567" }, ...method, ...fields },
  });
  if (sold.status !== 200) throw new Error(JSON.stringify(sold.body));
  const { order_id, bill_token, payment_id, order_number } = dataOf(sold);
  return { id: order_id, token: bill_token, paymentId: payment_id, number: order_number };
}

export type SaleOptions = Readonly<{
  how?: How;
  quantity?: number;
  fields?: object;
  ask?: ReturnType<typeof shopper>;
}>;

/** Pieces on hand and reserved of an item, over its one location. */
export async function piecesOf(shop: Shop, itemId: string): Promise<unknown[]> {
  const [level] = await rowsOf(
    shop,
    "select quantity_on_hand, quantity_reserved from stock_levels where item_id = ?",
    itemId,
  );
  return [level?.quantity_on_hand, level?.quantity_reserved];
}

/** What the provider has given back of an order's charge, by its own books, in minor units. */
export async function givenBack(shop: Shop, { id }: Pick<Sold, "id">): Promise<unknown> {
  const [charge] = await rowsOf(
    shop,
    "select refunded_minor from sandbox_charges where order_id = ?",
    id,
  );
  return charge?.refunded_minor;
}

const noAnswer = { type: "no_answer" } as const;

/** A context of use cases on orders; `dies` is asked at each effect, `over` changes the provider. */
export function orderContextFor(
  shop: Shop,
  { dies = never, over = {} }: { dies?: Dies; over?: Partial<PaymentProvider> } = {},
): OrderContext {
  const ctx = contextFor(shop, { type: "merchant", keyId: "key_test" });
  const d1 = shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business);
  const sandbox = sandboxProvider(openDb(d1, createMeter()), { now: chance.now, pageOf: () => "" });
  const dying = providerThatDies({ ...sandbox, ...over }, dies);
  const source = {
    prepare: (query: string) => d1.prepare(query),
    batch: <T>(all: D1PreparedStatement[]) => dies(() => d1.batch<T>(all)),
  };
  return {
    ...ctx,
    db: openDb(source, createMeter()),
    providerFor: (method) => (method === "cash" ? cashProvider : dying),
  };
}

/** A provider whose every call may be its caller's last. */
export const providerThatDies = (provider: PaymentProvider, dies: Dies): PaymentProvider => ({
  ...provider,
  charge: (request) => dies(() => provider.charge(request)),
  ...(provider.chargeAgain && {
    chargeAgain: (request) => dies(async () => provider.chargeAgain?.(request) ?? noAnswer),
  }),
  authorize: (authorization) => dies(() => provider.authorize(authorization)),
  verify: (reference, by) => dies(() => provider.verify(reference, by)),
  refund: (request) => dies(() => provider.refund(request)),
});
