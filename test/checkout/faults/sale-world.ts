import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { CreatedBusiness } from "../../../shared/businesses/index.ts";
import { givenProduct, givenStock } from "../../support/catalogue.ts";
import { cronFor } from "../../support/cron.ts";
import { rowsOf } from "../../support/shop-database.ts";
import { type Answer, shopper } from "../../support/world.ts";
import { type Fault, type FaultyShop, faultyShop } from "./faulty-shop.ts";

export const start = Date.parse("2030-05-01T12:00:00Z");

/** How a shopper pays: what the body of the checkout says of it. */
export type Payment = Readonly<Record<string, unknown>>;

export const dataOf = ({ body }: Answer) => Object(body).data;

/** A new shopper of the shop, with two pieces of a counted product in the cart, on a clock that stands. */
export async function givenSale(shop: CreatedBusiness, payment: Payment, at = start) {
  vi.setSystemTime(at);
  const product = await givenProduct(shop, { inventoryType: "tracked" });
  await givenStock(shop, product, 50);
  const ask = shopper(shop);
  const added = await ask("POST", "/cart/items", { body: { item_id: product.id, quantity: 2 } });
  const cartId = String(dataOf(added).id);
  const sessionId = sessionIdOf(added);
  const object = () => env.CART_SESSION.getByName(sessionId); // a dead one's stub is good for nothing

  return {
    cartId,
    cart: async () => dataOf(await ask("GET", "/cart")),
    books: () => booksOf(shop, { sessionId, productId: product.id }),

    checkout: (key: string, paying = payment): Promise<Answer> =>
      ask("POST", "/checkout", {
        body: { cart_id: cartId, customer: { phone: "0241234567" }, ...paying },
        headers: { "Idempotency-Key": key },
      }),

    /** From here on the object's shop goes wrong as `fault` says, until the object dies. */
    breakShop: (fault: Fault): Promise<FaultyShop> =>
      runInDurableObject(object(), (instance, state) => {
        const die = () => state.abort("The object died.");
        const store = () => state.storage.sync();
        return inPlace(instance, faultyShop({ fault, die, store }));
      }),

    /** From here on this happens right before each of the object's round trips to its shop, until it dies. */
    interrupt: (meanwhile: (trip: number) => Promise<void>): Promise<FaultyShop> =>
      runInDurableObject(object(), (instance) => inPlace(instance, faultyShop({ meanwhile }))),

    mendShop: (): Promise<void> =>
      runInDurableObject(object(), (instance) => {
        Object.assign(instance, { env });
      }),

    async ringAlarm(): Promise<void> {
      vi.setSystemTime(Date.now() + 60_000);
      await runDurableObjectAlarm(object());
    },

    /** So much later, the cron jobs run. */
    async cronAfter(minutes: number): Promise<void> {
      vi.setSystemTime(Date.now() + minutes * 60_000);
      await cronFor(shop);
    },
  };
}

function inPlace(object: object, shop: FaultyShop): FaultyShop {
  Object.assign(object, {
    env: { ...env, SHOP_1: shop.wrap(env.SHOP_1), SHOP_2: shop.wrap(env.SHOP_2) },
  });
  return shop;
}

export type Sale = Awaited<ReturnType<typeof givenSale>>;

/** The session's id, as its cookie's token names it. */
function sessionIdOf({ headers }: Answer): string {
  const token = /^[^=]+=([^;]+)/.exec(headers.get("set-cookie") ?? "")?.[1] ?? "";
  const payload = token.split(".")[1] ?? "";
  return String(JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))).sub);
}

/** What stands in the shop's books of one session, and in the provider's: the last word on what happened. */
async function booksOf(shop: CreatedBusiness, { sessionId, productId }: Sold) {
  const own = (query: string) => rowsOf(shop, query, shop.business.id, sessionId);
  const ordersOf = "select id from orders where business_id = ?1 and session_id = ?2";
  const [orders, payments, charges, levels, events] = await Promise.all([
    own(
      "select id, order_number, status, payment_status from orders where business_id = ? and session_id = ?",
    ),
    own(`select order_id, status from payments where order_id in (${ordersOf})`),
    own(`select order_id, status from sandbox_charges where order_id in (${ordersOf})`),
    rowsOf(
      shop,
      "select quantity_on_hand, quantity_reserved from stock_levels where item_id = ?",
      productId,
    ),
    own(
      `select type, subject_id from events where business_id = ?1
         and data ->> '$.order_id' in (${ordersOf})`,
    ),
  ]);
  return { orders, payments, charges, stock: levels[0], events };
}

type Sold = Readonly<{ sessionId: string; productId: string }>;

export type Books = Awaited<ReturnType<typeof booksOf>>;
