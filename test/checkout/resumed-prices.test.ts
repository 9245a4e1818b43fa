import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { addItem } from "../../shared/cart/index.ts";
import { merchantCatalogue, type Product } from "../../shared/catalogue/index.ts";
import {
  CartRefusal,
  type Checkout,
  requireCheckoutResult,
  runCheckout,
} from "../../shared/checkout/index.ts";
import { createMeter } from "../../shared/database/index.ts";
import { createQuote } from "../../shared/quotes/index.ts";
import { createTaxRate } from "../../shared/tax/index.ts";
import { createProduct } from "../support/create-product.ts";
import { Crash, type CrashPoint, crashAtEffect } from "../support/faults.ts";
import { selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness } from "../support/world.ts";
import {
  checkoutContextFor,
  createCart,
  createPlannedCheckout,
  newItem,
  readsOf,
} from "./create-checkout.ts";

let shop: CreatedBusiness;
let tea: Product;

beforeEach(async () => {
  shop = await createBusiness();
  tea = await createProduct(shop);
});

const setTeaPrice = (defaultPriceMinor: number) =>
  merchantCatalogue.updateProduct(contextFor(shop), tea.id, { defaultPriceMinor });

const archiveTea = () => merchantCatalogue.archiveProduct(contextFor(shop), tea.id);

const createVat = () =>
  createTaxRate(contextFor(shop), {
    taxClass: "standard",
    name: "VAT",
    country: shop.business.defaultCountry,
    region: null,
    postalCodePrefix: null,
    ratePercent: "15",
    appliesToDelivery: false,
    isActive: true,
  });

async function createTestCheckout(fields: { expectedTotalMinor?: number } = {}): Promise<Checkout> {
  const ctx = checkoutContextFor(shop);
  return createPlannedCheckout(ctx, await createCart(ctx, newItem(tea.id)), fields);
}

/** The first run of a checkout, which crashes. */
const crash = (checkout: Checkout, crashPoint: CrashPoint) =>
  expect(
    runCheckout(checkoutContextFor(shop, { crashPoint }), checkout, () => {}, readsOf(checkout)),
  ).rejects.toBeInstanceOf(Crash);

/** Resumes a checkout as it was stored before its first step, within the round trips of a call. */
async function resume(checkout: Checkout) {
  const meter = createMeter();
  const ctx = checkoutContextFor(shop, { meter });
  try {
    const finished = await runCheckout(ctx, JSON.parse(JSON.stringify(checkout)), () => {});
    return requireCheckoutResult(ctx, finished);
  } finally {
    expect(meter.d1).toBeLessThanOrEqual(3);
  }
}

const listOrders = async () =>
  (
    await selectRows(
      shop,
      `select total_price_minor, unit_price_minor from orders join order_lines on order_id = orders.id
        where orders.business_id = ?`,
      shop.business.id,
    )
  ).map(({ total_price_minor, unit_price_minor }) => [total_price_minor, unit_price_minor]);

const listCharges = async () =>
  (
    await selectRows(
      shop,
      "select amount_minor from sandbox_charges where order_id in (select id from orders where business_id = ?)",
      shop.business.id,
    )
  ).map(({ amount_minor }) => amount_minor);

describe("a checkout resumed after a crash", () => {
  it("is placed at the price of now when no order was placed", async () => {
    const checkout = await createTestCheckout();
    await crash(checkout, crashAtEffect(1, "before"));
    await setTeaPrice(1_200);
    const first = await resume(checkout);
    expect(await listOrders()).toEqual([[1_200, 1_200]]);
    expect(await listCharges()).toEqual([1_200]);
    expect(await resume(checkout)).toEqual(first);
    expect(await listCharges()).toEqual([1_200]);
  });

  it("keeps the price of the order that was placed", async () => {
    const checkout = await createTestCheckout();
    await crash(checkout, crashAtEffect(1, "after"));
    await setTeaPrice(1_200);
    await resume(checkout);
    expect(await listOrders()).toEqual([[1_000, 1_000]]);
    expect(await listCharges()).toEqual([1_000]);
  });

  it("is refused when its product was archived or its total is not the expected one", async () => {
    const checkout = await createTestCheckout({ expectedTotalMinor: 1_000 });
    await crash(checkout, crashAtEffect(1, "before"));
    await setTeaPrice(1_200);
    await expect(resume(checkout)).rejects.toMatchObject({
      context: { rule: "PRICE_CHANGED", expected_total: "10.00", total_price: "12.00" },
      cart: { lines: [{ snapshot: { unitPriceMinor: 1_200 } }] },
    });
    await archiveTea();
    const refusal = await resume(checkout).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(CartRefusal);
    expect(refusal).toMatchObject({ context: { rule: "ITEM_UNAVAILABLE" }, cart: { lines: [] } });
    expect(await listOrders()).toEqual([]);
  });

  it("leaves the taxes of now in the cart when it is refused", async () => {
    const cup = await createProduct(shop, { name: "Cup" });
    await createVat();
    const ctx = checkoutContextFor(shop);
    const cart = await createCart(ctx, newItem(tea.id));
    const both = (await addItem(ctx, cart, newItem(cup.id))).cart;
    const checkout = await createPlannedCheckout(ctx, both);
    await crash(checkout, crashAtEffect(1, "before"));
    await archiveTea();
    await expect(resume(checkout)).rejects.toMatchObject({
      context: { rule: "ITEM_UNAVAILABLE" },
      cart: { lines: [{ snapshot: { name: "Cup" } }], tax: { rates: [{ name: "VAT" }] } },
    });
  });

  it("is exempt when the customer who ordered is, also after they logged out", async () => {
    await createVat();
    await selectRows(
      shop,
      `insert into customers (id, business_id, is_tax_exempt, created_at, updated_at)
        values ('cus_exempt', ?, 1, 0, 0) returning id`,
      shop.business.id,
    );
    const ctx = checkoutContextFor(shop, {
      login: { customerId: "cus_exempt", loggedInAt: Date.now() },
    });
    const checkout = await createPlannedCheckout(ctx, await createCart(ctx, newItem(tea.id)));
    await crash(checkout, crashAtEffect(1, "before"));
    await resume(checkout);
    expect(await listOrders()).toEqual([[1_000, 1_000]]);
  });

  it("has the price of a quote for as long as the quote is valid", async () => {
    const ctx = checkoutContextFor(shop);
    const { findProducts } = ctx;
    const quoteContext = { ...ctx, findProducts: (ids: readonly string[]) => findProducts(ids) };
    const wanted = { ...newItem(tea.id).configuration, quantity: 1 };
    const { id } = await createQuote(quoteContext, wanted);
    const cart = await createCart(ctx, newItem(tea.id, { quoteId: id }));
    const [first, second] = [
      await createPlannedCheckout(ctx, cart),
      await createPlannedCheckout(ctx, { ...cart, id: ctx.newId("cart") }),
    ];
    await setTeaPrice(1_200);
    await resume(first);
    vi.setSystemTime(Date.now() + 16 * 60_000);
    await resume(second);
    expect(await listOrders()).toEqual([
      [1_000, 1_000],
      [1_200, 1_200],
    ]);
  });
});

it("a placing batch that arrives late does not place an order at an old price", async () => {
  const checkout = await createTestCheckout();
  const changingPrice: CrashPoint = async (effect) => {
    await setTeaPrice(1_200);
    await effect().catch(() => {});
    throw new Crash();
  };
  await crash(checkout, changingPrice);
  expect(await listOrders()).toEqual([]);
});

it("a billing plan's price is verified as well", async () => {
  const ctx = contextFor(shop);
  const { plan } = await merchantCatalogue.createBillingPlan(ctx, {
    name: "Weekly",
    interval: "week",
    intervalCount: 1,
    priceMinor: 700,
    trialDays: 0,
    minQuantity: 1,
    minOrderValueMinor: 0,
  });
  tea = await createProduct(shop, { billingPlanIds: [plan.id] });
  await selectRows(
    shop,
    `insert into customers (id, business_id, created_at, updated_at)
      values ('cus_1', ?, 0, 0) returning id`,
    shop.business.id,
  );
  const actor = {
    type: "session",
    sessionId: "ses_test",
    customerId: "cus_1",
    loggedInAt: Date.now(),
  } as const;
  const subscriber = (meter = createMeter()) =>
    checkoutContextFor(shop, { meter, overrides: { actor } });
  const { configuration } = newItem(tea.id);
  const item = newItem(tea.id, { configuration: { ...configuration, billingPlanId: plan.id } });
  const cart = await createCart(subscriber(), item);
  const fields = { paymentMethod: "cash" };
  const checkout = await createPlannedCheckout(subscriber(), cart, fields);
  await merchantCatalogue.updateBillingPlan(ctx, plan.id, { priceMinor: 900 });
  await runCheckout(subscriber(), checkout, () => {}, readsOf(checkout));
  expect(await listOrders()).toEqual([[900, 900]]);
});
