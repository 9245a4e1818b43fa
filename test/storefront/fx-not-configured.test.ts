import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createProduct } from "../support/create-product.ts";
import { refusal, success } from "../support/responses.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, dataOf, shopper } from "../support/world.ts";
import { ruleViolationResponse, setFxSettings } from "./create-fx-shop.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  vi.setSystemTime(Date.parse("2031-06-01T12:00:00Z"));
  shop = await createBusiness({ mode: "live" });
  ask = shopper(shop);
});

const expireCaches = () => vi.setSystemTime(Date.now() + 6_000);

const unavailable = { status: 503, body: refusal("SERVICE_UNAVAILABLE") };
const readRate = () => ask("GET", "/fx/rate?from=GHS&to=USD");
const quoteRate = () =>
  ask("POST", "/fx/quotes", { body: { from: "GHS", to: "USD", amount: "10" } });

/** Checks a cart of one product out in another currency, to be paid in cash. */
async function checkoutIn(pay_currency: string) {
  const product = await createProduct(shop);
  const cart = await ask("POST", "/cart/items", { body: { item_id: product.id } });
  const body = {
    cart_id: dataOf(cart).id,
    customer: { phone: "0241234567" },
    payment_method: "cash",
    pay_currency,
  };
  return ask("POST", "/checkout", { body });
}

const listOrders = () =>
  selectRows(shop, "select id from orders where business_id = ?", shop.business.id);

describe("a live business without exchange rates", () => {
  it("has no rates, only that of a currency to itself", async () => {
    expect(await readRate()).toMatchObject(unavailable);
    expect(await quoteRate()).toMatchObject(unavailable);
    expect((await ask("GET", "/fx/rate?from=GHS&to=GHS")).body).toMatchObject(
      success({ rate: "1" }),
    );
  });

  it("refuses another pay_currency and takes its own", async () => {
    expect(await checkoutIn("USD")).toMatchObject(ruleViolationResponse("FX_NOT_CONFIGURED"));
    expect(await listOrders()).toEqual([]);
    expect(await checkoutIn("GHS")).toMatchObject({ status: 200 });
  });

  it("converts at its own rates once it has some", async () => {
    await setFxSettings(shop, { static_rates: { base: "GHS", rates: { USD: "0.08" } } });
    expireCaches();
    expect((await readRate()).body).toMatchObject(success({ rate: "0.08", source: "static" }));
    const sold = await checkoutIn("USD");
    expect(sold.body).toMatchObject(success({ fx: { rate: "0.08", pay_currency: "USD" } }));
  });
});

it("refuses pay_currency when the chosen provider lacks the deployment's key in live mode", async () => {
  await setFxSettings(shop, { provider: "openexchangerates" });
  expireCaches();
  expect(await readRate()).toMatchObject(unavailable);
  expect(await checkoutIn("USD")).toMatchObject(ruleViolationResponse("FX_NOT_CONFIGURED"));
});

it("keeps the built-in rates for a business in test mode", async () => {
  shop = await createBusiness();
  ask = shopper(shop);
  expect((await readRate()).status).toBe(200);
  expect((await checkoutIn("USD")).status).toBe(200);
});
