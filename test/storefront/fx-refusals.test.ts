import { beforeEach, describe, expect, it, vi } from "vitest";
import { givenDeal } from "../support/deals.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness, shopper } from "../support/world.ts";
import {
  dataOf,
  type FxShop,
  givenFx,
  givenFxShop,
  givenRates,
  mobileMoney,
  nothingSold,
  ruled,
} from "./fx-shop.ts";

const start = Date.parse("2031-05-01T12:00:00Z");
const minutes = (count: number) => start + count * 60_000;

let fx: FxShop;

beforeEach(async () => {
  vi.setSystemTime(start);
  fx = await givenFxShop();
});

describe("POST /checkout refuses an FX quote", () => {
  it.each([
    { what: "into another currency", quote: { to: "JPY" }, pay: {} },
    { what: "from another currency", quote: { from: "KWD" }, pay: {} },
    { what: "for less than the total", quote: { amount: "50.19" }, pay: {} },
    { what: "without its pay_currency", quote: {}, pay: { pay_currency: undefined } },
  ])("$what", async ({ quote, pay }) => {
    const quoteId = await fx.quoted(quote);
    const asked = mobileMoney(await fx.filled(), { fx_quote_id: quoteId, ...pay });
    expect(await fx.checkout(asked)).toMatchObject(ruled("FX_QUOTE_MISMATCH"));
    await nothingSold(fx);
    expect(await fx.useOf(quoteId)).toBeNull();
  });

  it("at a rate that makes nothing of the total", async () => {
    await givenRates(fx.shop, { USD: "0.00001" });
    vi.setSystemTime(minutes(1));
    const fx_quote_id = await fx.quoted();
    expect(await fx.checkout(mobileMoney(await fx.filled(), { fx_quote_id }))).toMatchObject(
      ruled("FX_QUOTE_MISMATCH"),
    );
    await nothingSold(fx);
  });

  it("that has expired, at its very end", async () => {
    const fx_quote_id = await fx.quoted();
    const cartId = await fx.filled();
    vi.setSystemTime(minutes(5));
    expect(await fx.checkout(mobileMoney(cartId, { fx_quote_id }))).toMatchObject(
      ruled("FX_QUOTE_EXPIRED"),
    );
    await nothingSold(fx);
    vi.setSystemTime(minutes(5) - 1);
    expect(await fx.checkout(mobileMoney(cartId, { fx_quote_id }))).toMatchObject({ status: 200 });
  });

  it("that is unknown, or another business's", async () => {
    const cartId = await fx.filled();
    const foreign = await givenBusiness();
    const body = { from: "GHS", to: "USD", amount: "100" };
    const theirs = dataOf(await shopper(foreign)("POST", "/fx/quotes", { body })).quote_id;
    for (const fx_quote_id of ["fxq_unknown", theirs]) {
      expect(await fx.checkout(mobileMoney(cartId, { fx_quote_id }))).toMatchObject({
        status: 404,
      });
    }
    await nothingSold(fx);
  });

  it("that an unpaid order has taken, in whose place another cannot come with it", async () => {
    const fx_quote_id = await fx.quoted();
    const cartId = await fx.filled();
    const declined = mobileMoney(cartId, { fx_quote_id }, "0241234563");
    expect(await fx.checkout(declined, { key: "declined" })).toMatchObject({ status: 503 });
    expect(await fx.checkout(mobileMoney(cartId, { fx_quote_id }), { key: "anew" })).toMatchObject(
      ruled("FX_QUOTE_USED"),
    );
    expect(await fx.rows("orders")).toMatchObject([{ status: "pending" }]);
    expect(await fx.charges()).toMatchObject([{ status: "declined" }]);
  });

  it("that another order took after this one was planned with it", async () => {
    const fx_quote_id = await fx.quoted();
    const asked = mobileMoney(await fx.filled(), { fx_quote_id });
    await fx.outage();
    expect(await fx.checkout(asked, { key: "second" })).toMatchObject({ status: 503 });
    await fx.outageEnds();
    const other = shopper(fx.shop);
    const first = mobileMoney(await fx.filled(other), { fx_quote_id });
    expect(await fx.checkout(first, { caller: other })).toMatchObject({ status: 200 });
    expect(await fx.checkout(asked, { key: "second" })).toMatchObject(ruled("FX_QUOTE_USED"));
    expect(await fx.rows("orders")).toHaveLength(1);
    expect(await fx.charges()).toHaveLength(1);
    expect(await fx.rows("stock_levels")).toMatchObject([{ quantity_reserved: 2 }]);
  });

  it("that two shoppers pay with at once: exactly one order is there", async () => {
    const fx_quote_id = await fx.quoted();
    const others = [fx.ask, shopper(fx.shop), shopper(fx.shop)];
    const carts = await Promise.all(others.map((caller) => fx.filled(caller)));
    const answers = await Promise.all(
      others.map((caller, index) =>
        fx.checkout(mobileMoney(carts[index] ?? "", { fx_quote_id }), { caller }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    for (const answer of answers.filter(({ status }) => status === 422)) {
      expect(answer).toMatchObject(ruled("FX_QUOTE_USED"));
    }
    expect(await fx.rows("orders")).toHaveLength(1);
    expect(await fx.charges()).toHaveLength(1);
    expect(await fx.rows("stock_levels")).toMatchObject([{ quantity_reserved: 2 }]);
  });
});

describe("POST /checkout with a pay_currency alone", () => {
  it.each(["QQQ", "CHF"])("refuses %s, naming the field", async (pay_currency) => {
    expect(await fx.checkout(mobileMoney(await fx.filled(), { pay_currency }))).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field: "pay_currency" } } },
    });
    await nothingSold(fx);
  });

  it("is 503 without a rate, and leaves nothing behind", async () => {
    await givenFx(fx.shop, { provider: "openexchangerates" });
    const cartId = await fx.filled();
    vi.setSystemTime(minutes(1));
    expect(await fx.checkout(mobileMoney(cartId), { key: "rateless" })).toMatchObject({
      status: 503,
    });
    await nothingSold(fx);
    await givenFx(fx.shop, { provider: "static" });
    vi.setSystemTime(minutes(2));
    expect(await fx.checkout(mobileMoney(cartId), { key: "rateless" })).toMatchObject({
      status: 200,
    });
  });
});

describe("a deal that is used up before the order is placed", () => {
  const usedUpInBetween = async (fields: object) => {
    const deal = await givenDeal(fx.shop, { value: "50", usageLimit: 1 });
    const cartId = await fx.filled();
    await rowsOf(fx.shop, "update deals set times_redeemed = 1 where id = ?", deal.id);
    return fx.checkout(mobileMoney(cartId, fields));
  };

  it("makes a quote for the lower total too small", async () => {
    const fx_quote_id = await fx.quoted({ amount: "25.10" });
    expect(await usedUpInBetween({ fx_quote_id })).toMatchObject(ruled("FX_QUOTE_MISMATCH"));
    await nothingSold(fx);
    expect(await fx.useOf(fx_quote_id)).toBeNull();
  });
});
