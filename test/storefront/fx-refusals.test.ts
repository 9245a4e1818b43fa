import { beforeEach, describe, expect, it, vi } from "vitest";
import { createDeal } from "../support/create-deal.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, dataOf, shopper } from "../support/world.ts";
import {
  assertNothingSold,
  createFxShop,
  type FxShop,
  mobileMoneyCheckout,
  ruleViolationResponse,
  setFxSettings,
  setStaticRates,
} from "./create-fx-shop.ts";

const start = Date.parse("2031-05-01T12:00:00Z");
const minutes = (count: number) => start + count * 60_000;

let fx: FxShop;

beforeEach(async () => {
  vi.setSystemTime(start);
  fx = await createFxShop();
});

describe("POST /checkout rejects an FX quote", () => {
  it.each([
    { what: "into another currency", quote: { to: "JPY" }, pay: {} },
    { what: "from another currency", quote: { from: "KWD" }, pay: {} },
    { what: "for less than the total", quote: { amount: "50.19" }, pay: {} },
    { what: "without its pay_currency", quote: {}, pay: { pay_currency: undefined } },
  ])("$what", async ({ quote, pay }) => {
    const quoteId = await fx.createQuote(quote);
    const body = mobileMoneyCheckout(await fx.createCart(), { fx_quote_id: quoteId, ...pay });
    expect(await fx.checkout(body)).toMatchObject(ruleViolationResponse("FX_QUOTE_MISMATCH"));
    await assertNothingSold(fx);
    expect(await fx.findOrderUsingQuote(quoteId)).toBeNull();
  });

  it("whose rate converts the total to 0", async () => {
    await setStaticRates(fx.shop, { USD: "0.00001" });
    vi.setSystemTime(minutes(1));
    const fx_quote_id = await fx.createQuote();
    expect(
      await fx.checkout(mobileMoneyCheckout(await fx.createCart(), { fx_quote_id })),
    ).toMatchObject(ruleViolationResponse("FX_QUOTE_MISMATCH"));
    await assertNothingSold(fx);
  });

  it("at the instant of its expiry", async () => {
    const fx_quote_id = await fx.createQuote();
    const cartId = await fx.createCart();
    vi.setSystemTime(minutes(5));
    expect(await fx.checkout(mobileMoneyCheckout(cartId, { fx_quote_id }))).toMatchObject(
      ruleViolationResponse("FX_QUOTE_EXPIRED"),
    );
    await assertNothingSold(fx);
    vi.setSystemTime(minutes(5) - 1);
    expect(await fx.checkout(mobileMoneyCheckout(cartId, { fx_quote_id }))).toMatchObject({
      status: 200,
    });
  });

  it("that is unknown or belongs to another business", async () => {
    const cartId = await fx.createCart();
    const foreign = await createBusiness();
    const body = { from: "GHS", to: "USD", amount: "100" };
    const theirs = dataOf(await shopper(foreign)("POST", "/fx/quotes", { body })).quote_id;
    for (const fx_quote_id of ["fxq_unknown", theirs]) {
      expect(await fx.checkout(mobileMoneyCheckout(cartId, { fx_quote_id }))).toMatchObject({
        status: 404,
      });
    }
    await assertNothingSold(fx);
  });

  it("that an unpaid order of the same session uses", async () => {
    const fx_quote_id = await fx.createQuote();
    const cartId = await fx.createCart();
    const declined = mobileMoneyCheckout(cartId, { fx_quote_id }, "0241234563");
    expect(await fx.checkout(declined, { key: "declined" })).toMatchObject({ status: 503 });
    expect(
      await fx.checkout(mobileMoneyCheckout(cartId, { fx_quote_id }), { key: "another-attempt" }),
    ).toMatchObject(ruleViolationResponse("FX_QUOTE_USED"));
    expect(await fx.rows("orders")).toMatchObject([{ status: "pending" }]);
    expect(await fx.charges()).toMatchObject([{ status: "declined" }]);
  });

  it("that another order used after this checkout was planned", async () => {
    const fx_quote_id = await fx.createQuote();
    const body = mobileMoneyCheckout(await fx.createCart(), { fx_quote_id });
    await fx.startOutage();
    expect(await fx.checkout(body, { key: "second" })).toMatchObject({ status: 503 });
    await fx.endOutage();
    const other = shopper(fx.shop);
    const first = mobileMoneyCheckout(await fx.createCart(other), { fx_quote_id });
    expect(await fx.checkout(first, { caller: other })).toMatchObject({ status: 200 });
    expect(await fx.checkout(body, { key: "second" })).toMatchObject(
      ruleViolationResponse("FX_QUOTE_USED"),
    );
    expect(await fx.rows("orders")).toHaveLength(1);
    expect(await fx.charges()).toHaveLength(1);
    expect(await fx.rows("stock_levels")).toMatchObject([{ quantity_reserved: 2 }]);
  });

  it("of two concurrent checkouts: exactly one order is placed", async () => {
    const fx_quote_id = await fx.createQuote();
    const others = [fx.ask, shopper(fx.shop), shopper(fx.shop)];
    const carts = await Promise.all(others.map((caller) => fx.createCart(caller)));
    const answers = await Promise.all(
      others.map((caller, index) =>
        fx.checkout(mobileMoneyCheckout(carts[index] ?? "", { fx_quote_id }), { caller }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    for (const answer of answers.filter(({ status }) => status === 422)) {
      expect(answer).toMatchObject(ruleViolationResponse("FX_QUOTE_USED"));
    }
    expect(await fx.rows("orders")).toHaveLength(1);
    expect(await fx.charges()).toHaveLength(1);
    expect(await fx.rows("stock_levels")).toMatchObject([{ quantity_reserved: 2 }]);
  });
});

describe("POST /checkout with a pay_currency alone", () => {
  it.each(["QQQ", "CHF"])("rejects %s with its field", async (pay_currency) => {
    expect(
      await fx.checkout(mobileMoneyCheckout(await fx.createCart(), { pay_currency })),
    ).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field: "pay_currency" } } },
    });
    await assertNothingSold(fx);
  });

  it("returns 503 without a rate and stores nothing", async () => {
    await setFxSettings(fx.shop, { provider: "openexchangerates" });
    const cartId = await fx.createCart();
    vi.setSystemTime(minutes(1));
    expect(await fx.checkout(mobileMoneyCheckout(cartId), { key: "rateless" })).toMatchObject({
      status: 503,
    });
    await assertNothingSold(fx);
    await setFxSettings(fx.shop, { provider: "static" });
    vi.setSystemTime(minutes(2));
    expect(await fx.checkout(mobileMoneyCheckout(cartId), { key: "rateless" })).toMatchObject({
      status: 200,
    });
  });
});

describe("a deal exhausted before the order is placed", () => {
  const checkoutWithExhaustedDeal = async (fields: object) => {
    const deal = await createDeal(fx.shop, { value: "50", usageLimit: 1 });
    const cartId = await fx.createCart();
    await selectRows(fx.shop, "update deals set times_redeemed = 1 where id = ?", deal.id);
    return fx.checkout(mobileMoneyCheckout(cartId, fields));
  };

  it("makes the quote too small for the higher total", async () => {
    const fx_quote_id = await fx.createQuote({ amount: "25.10" });
    expect(await checkoutWithExhaustedDeal({ fx_quote_id })).toMatchObject(
      ruleViolationResponse("FX_QUOTE_MISMATCH"),
    );
    await assertNothingSold(fx);
    expect(await fx.findOrderUsingQuote(fx_quote_id)).toBeNull();
  });
});
