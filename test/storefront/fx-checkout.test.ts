import { beforeEach, describe, expect, it, vi } from "vitest";
import { givenDeal } from "../support/deals.ts";
import { rowsOf } from "../support/shop-database.ts";
import { roundTrips } from "../support/world.ts";
import { dataOf, type FxShop, givenFxShop, givenRates, mobileMoney } from "./fx-shop.ts";

const start = Date.parse("2031-04-01T12:00:00Z");
const minutes = (count: number) => start + count * 60_000;

let fx: FxShop;

beforeEach(async () => {
  vi.setSystemTime(start);
  fx = await givenFxShop();
});

describe("POST /checkout with an FX quote", () => {
  it("charges the total at the quote's rate, and leaves the order in the cart's currency", async () => {
    const quoteId = await fx.quoted();
    await givenRates(fx.shop, { USD: "0.5" });
    const answer = await fx.checkout(mobileMoney(await fx.filled(), { fx_quote_id: quoteId }));
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: {
          payment_status: "captured",
          fx: { quote_id: quoteId, rate: "0.08", pay_amount: "4.02", pay_currency: "USD" },
        },
      },
    });
    const { order_id, bill_token } = dataOf(answer);
    expect(await fx.charges()).toEqual([
      { amount_minor: 402, currency: "USD", status: "captured" },
    ]);
    expect(await fx.ask("GET", `/orders/${order_id}?token=${bill_token}`)).toMatchObject({
      body: {
        data: {
          total_price: "50.20",
          currency: "GHS",
          status: "confirmed",
          payment_status: "succeeded",
        },
      },
    });
    expect(
      await fx.ask("GET", `/orders/${order_id}/payment-status?token=${bill_token}`),
    ).toMatchObject({ body: { data: { amount: "4.02", currency: "USD" } } });
    expect(await fx.useOf(quoteId)).toBe(order_id);
  });

  it("charges no more than the total when the quote is for more", async () => {
    const quoteId = await fx.quoted({ amount: "1000" });
    const answer = await fx.checkout(mobileMoney(await fx.filled(), { fx_quote_id: quoteId }));
    expect(dataOf(answer).fx).toMatchObject({ pay_amount: "4.02" });
  });

  it.each([
    { to: "JPY", pay: "715", minor: 715 },
    { to: "KWD", pay: "1.255", minor: 1_255 },
  ])("counts $to in its own decimals", async ({ to, pay, minor }) => {
    const quoteId = await fx.quoted({ to });
    const asked = mobileMoney(await fx.filled(), { fx_quote_id: quoteId, pay_currency: to });
    expect(dataOf(await fx.checkout(asked)).fx).toMatchObject({
      pay_amount: pay,
      pay_currency: to,
    });
    expect(await fx.charges()).toMatchObject([{ amount_minor: minor, currency: to }]);
  });

  it("stays within its round trips", async () => {
    const quoteId = await fx.quoted();
    const answer = await fx.checkout(mobileMoney(await fx.filled(), { fx_quote_id: quoteId }));
    expect(answer.status).toBe(200);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(3);
    expect(roundTrips(answer).do).toBe(1);
  });

  it("stays within its round trips with nothing of the catalogue remembered", async () => {
    const quoteId = await fx.quoted();
    const cartId = await fx.filled();
    vi.setSystemTime(minutes(1));
    await fx.ask("GET", "/fx/rate?from=GHS&to=USD"); // the key alone is known again
    const answer = await fx.checkout(mobileMoney(cartId, { fx_quote_id: quoteId }));
    expect(answer.status).toBe(200);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(3);
  });

  it("pays with cash in the other currency too", async () => {
    const quoteId = await fx.quoted();
    const cash = { payment_method: "cash", fx_quote_id: quoteId };
    expect(dataOf(await fx.checkout(mobileMoney(await fx.filled(), cash))).fx).toMatchObject({
      pay_amount: "4.02",
    });
    expect(await fx.rows("payments")).toMatchObject([{ amount_minor: 402, currency: "USD" }]);
  });

  it("charges 0 for an order that costs nothing", async () => {
    await givenDeal(fx.shop, { value: "100" });
    const answer = await fx.checkout(
      mobileMoney(await fx.filled(), { fx_quote_id: await fx.quoted() }),
    );
    expect(dataOf(answer).fx).toMatchObject({ pay_amount: "0.00" });
  });
});

describe("POST /checkout with a pay_currency alone", () => {
  it("locks the rate of now, keeps the quote, and charges by it", async () => {
    const answer = await fx.checkout(mobileMoney(await fx.filled()));
    expect(dataOf(answer)).toMatchObject({
      payment_status: "captured",
      fx: {
        quote_id: expect.stringMatching(/^fxq_/),
        rate: "0.08",
        pay_amount: "4.02",
        pay_currency: "USD",
      },
    });
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(3);
    expect(await fx.rows("fx_quotes")).toMatchObject([
      {
        id: dataOf(answer).fx.quote_id,
        amount_minor: 5_020,
        converted_minor: 402,
        used_by_order_id: dataOf(answer).order_id,
      },
    ]);
  });

  it("is as before in the cart's own currency", async () => {
    const answer = await fx.checkout(mobileMoney(await fx.filled(), { pay_currency: "ghs" }));
    expect(dataOf(answer).fx).toBeNull();
    expect(await fx.rows("fx_quotes")).toEqual([]);
    expect(await fx.rows("payments")).toMatchObject([{ amount_minor: 5_020, currency: "GHS" }]);
  });
});

describe("a checkout in another currency that is gone on with", () => {
  it("keeps its quote and its rate, whatever came of them since", async () => {
    const fx_quote_id = await fx.quoted();
    const asked = mobileMoney(await fx.filled(), { fx_quote_id }, "0241234564");
    expect(await fx.checkout(asked, { key: "lost" })).toMatchObject({ status: 503 });
    await givenRates(fx.shop, { USD: "0.5" });
    vi.setSystemTime(minutes(10));
    const answer = await fx.checkout(asked, { key: "lost" });
    expect(dataOf(answer).fx).toEqual({
      quote_id: fx_quote_id,
      rate: "0.08",
      pay_amount: "4.02",
      pay_currency: "USD",
    });
    expect(await fx.charges()).toEqual([
      { amount_minor: 402, currency: "USD", status: "captured" },
    ]);
    const again = await fx.checkout(asked, { key: "lost" });
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(answer.body));
  });

  it("holds its quote though it expired, or was purged, before the order could be placed", async () => {
    const fx_quote_id = await fx.quoted();
    const asked = mobileMoney(await fx.filled(), { fx_quote_id });
    await fx.outage();
    expect(await fx.checkout(asked, { key: "outage" })).toMatchObject({ status: 503 });
    await fx.outageEnds();
    expect(await fx.useOf(fx_quote_id)).toBeNull();
    await rowsOf(fx.shop, "delete from fx_quotes where id = ?", fx_quote_id);
    vi.setSystemTime(minutes(6));
    expect(dataOf(await fx.checkout(asked, { key: "outage" })).fx).toMatchObject({
      quote_id: fx_quote_id,
      pay_amount: "4.02",
    });
    expect(await fx.useOf(fx_quote_id)).toBe((await fx.rows("orders"))[0]?.id);
  });
});

describe("a deal that is used up before the order is placed", () => {
  const usedUpInBetween = async (fields: object) => {
    const deal = await givenDeal(fx.shop, { value: "50", usageLimit: 1 });
    const cartId = await fx.filled();
    await rowsOf(fx.shop, "update deals set times_redeemed = 1 where id = ?", deal.id);
    return fx.checkout(mobileMoney(cartId, fields));
  };

  it("raises what a locked rate charges with the total", async () => {
    expect(dataOf(await usedUpInBetween({})).fx).toMatchObject({ pay_amount: "4.02" });
    expect(await fx.rows("fx_quotes")).toMatchObject([
      { amount_minor: 5_020, converted_minor: 402 },
    ]);
  });
});
