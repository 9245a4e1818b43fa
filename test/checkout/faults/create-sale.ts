import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { CreatedBusiness } from "../../../shared/businesses/index.ts";
import { createDeal } from "../../support/create-deal.ts";
import { createDeliveryMethod } from "../../support/create-delivery.ts";
import { createProduct, setStock } from "../../support/create-product.ts";
import { runJobsUntilIdle } from "../../support/cron.ts";
import { selectRows } from "../../support/select-rows.ts";
import { changeSettings } from "../../support/settings.ts";
import { type ApiResponse, dataOf, merchant, shopper } from "../../support/world.ts";
import {
  createFaultyDatabase,
  type DatabaseFault,
  type FaultyDatabase,
} from "./faulty-database.ts";

export const start = Date.parse("2030-05-01T12:00:00Z");

/** The fields of the checkout body that choose the payment. */
export type PaymentFields = Readonly<Record<string, unknown>>;

/** Creates a shopper with two units of a tracked product in the cart, with a fixed clock. */
export async function createSale(shop: CreatedBusiness, payment: PaymentFields, at = start) {
  vi.setSystemTime(at);
  const product = await createProduct(shop, { inventoryType: "tracked" });
  await setStock(shop, product, 50);
  const ask = shopper(shop);
  const added = await ask("POST", "/cart/items", { body: { item_id: product.id, quantity: 2 } });
  const cartId = String(dataOf(added).id);
  const sessionId = sessionIdOf(added);
  const object = () => env.CART_SESSION.getByName(sessionId); // a dead object needs a new stub
  let couponCount = 0;
  let isDelivered = false;

  return {
    cartId,
    cart: async () => dataOf(await ask("GET", "/cart")),
    books: async () => ({
      ...(await loadBooks(shop, { sessionId, productId: product.id })),
      couponCount,
      isDelivered,
    }),

    /** Adds coupons to the cart that combine and can be used once each. */
    async addCoupons(count: number): Promise<void> {
      couponCount = count;
      await changeSettings(shop, { maxCoupons: count });
      for (let number = 1; number <= count; number += 1) {
        const code = `${cartId}-${number}`;
        const limits = { usageLimit: 1, perCustomerLimit: 1 };
        await createDeal(shop, { code, combinesWith: ["order"], ...limits });
        dataOf(await ask("POST", "/cart/coupons", { body: { coupon_code: code } }));
      }
    },

    /** Has the cart delivered for 5.00, with taxes of 15 and 2.5 percent. */
    async addDelivery(): Promise<void> {
      isDelivered = true;
      const option_id = methods.get(shop) ?? (await createTaxedMethod(shop));
      methods.set(shop, option_id);
      vi.setSystemTime(Date.now() + 5_001); // isolates cache rates and methods for 5 s
      const body = { option_id, address: { country: "GH" } };
      dataOf(await ask("PUT", "/cart/delivery", { body }));
    },

    checkout: (key: string, paying = payment): Promise<ApiResponse> =>
      ask("POST", "/checkout", {
        body: { cart_id: cartId, customer: { phone: "0241234567" }, ...paying },
        headers: { "Idempotency-Key": key },
      }),

    reopenCart: (orderId: string): Promise<ApiResponse> =>
      ask("POST", `/orders/${orderId}/reopen-cart`),

    /** Makes the object's shard fail as `fault` says, until the object dies. */
    breakShop: (fault: DatabaseFault): Promise<FaultyDatabase> =>
      runInDurableObject(object(), (instance, state) => {
        const die = () => state.abort("The object died.");
        const store = () => state.storage.sync();
        return replaceDatabase(instance, createFaultyDatabase({ fault, die, store }));
      }),

    /** Calls `meanwhile` before each round trip of the object to its shard, until it dies. */
    interrupt: (meanwhile: (trip: number) => Promise<void>): Promise<FaultyDatabase> =>
      runInDurableObject(object(), (instance) =>
        replaceDatabase(instance, createFaultyDatabase({ meanwhile })),
      ),

    mendShop: (): Promise<void> =>
      runInDurableObject(object(), (instance) => {
        Object.assign(instance, { env });
      }),

    async ringAlarm(): Promise<void> {
      vi.setSystemTime(Date.now() + 60_000);
      await runDurableObjectAlarm(object());
    },

    /** Moves the clock on and runs the cron jobs. */
    async cronAfter(minutes: number): Promise<void> {
      vi.setSystemTime(Date.now() + minutes * 60_000);
      await runJobsUntilIdle(shop);
    },
  };
}

const methods = new Map<CreatedBusiness, string>();

async function createTaxedMethod(shop: CreatedBusiness): Promise<string> {
  for (const [name, rate_percent] of [
    ["VAT", "15"],
    ["Levy", "2.5"],
  ]) {
    const body = { name, rate_percent, country: "GH", applies_to_delivery: true };
    dataOf(await merchant(shop)("POST", "/tax/rates", { body }));
  }
  return (await createDeliveryMethod(shop)).id;
}

function replaceDatabase(object: object, shop: FaultyDatabase): FaultyDatabase {
  Object.assign(object, {
    env: { ...env, SHOP_1: shop.wrap(env.SHOP_1), SHOP_2: shop.wrap(env.SHOP_2) },
  });
  return shop;
}

export type FaultySale = Awaited<ReturnType<typeof createSale>>;

/** The session id in the cookie's token. */
function sessionIdOf({ headers }: ApiResponse): string {
  const token = /^[^=]+=([^;]+)/.exec(headers.get("set-cookie") ?? "")?.[1] ?? "";
  const payload = token.split(".")[1] ?? "";
  return String(JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))).sub);
}

/** The rows of one session in the shard and in the sandbox provider's tables. */
async function loadBooks(shop: CreatedBusiness, { sessionId, productId }: SaleIds) {
  const own = (query: string) => selectRows(shop, query, shop.business.id, sessionId);
  const ordersOf = "select id from orders where business_id = ?1 and session_id = ?2";
  const [orders, payments, charges, levels, events, redemptions, miscounted] = await Promise.all([
    own(
      `select id, order_number, status, payment_status, delivery is not null as is_delivered,
         delivery_total_minor, total_price_minor - subtotal_minor + discount_total_minor
           - delivery_total_minor - tax_total_minor as difference_minor,
         tax_total_minor - (select sum(value ->> 'amountMinor') from json_each(tax_lines))
           as untaxed_minor
       from orders where business_id = ? and session_id = ?`,
    ),
    own(`select order_id, status from payments where order_id in (${ordersOf})`),
    own(`select order_id, status from sandbox_charges where order_id in (${ordersOf})`),
    selectRows(
      shop,
      "select quantity_on_hand, quantity_reserved from stock_levels where item_id = ?",
      productId,
    ),
    own(
      `select type, subject_id from events where business_id = ?1
         and data ->> '$.order_id' in (${ordersOf})`,
    ),
    own(`select order_id, deal_id from deal_redemptions where order_id in (${ordersOf})`),
    selectRows(
      shop,
      `select id, times_redeemed from deals where business_id = ? and times_redeemed <>
         (select count(*) from deal_redemptions as used where used.deal_id = deals.id)`,
      shop.business.id,
    ),
  ]);
  return { orders, payments, charges, stock: levels[0], events, redemptions, miscounted };
}

type SaleIds = Readonly<{ sessionId: string; productId: string }>;

export type SaleBooks = Awaited<ReturnType<FaultySale["books"]>>;
