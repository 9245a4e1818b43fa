import { beforeEach, describe, expect, it, vi } from "vitest";
import { createDeal } from "../support/create-deal.ts";
import { selectRows } from "../support/select-rows.ts";
import { dataOf, roundTrips } from "../support/world.ts";
import {
  createFxShop,
  type FxShop,
  mobileMoneyCheckout,
  setStaticRates,
} from "./create-fx-shop.ts";

const start = Date.parse("2031-04-01T12:00:00Z");
const minutes = (count: number) => start + count * 60_000;

let fx: FxShop;

beforeEach(async () => {
  vi.setSystemTime(start);
  fx = await createFxShop();
});

describe("POST /checkout with an FX quote", () => {
  it("charges the total at the quote's rate and keeps the order in the cart's currency", async () => {
    const quoteId = await fx.createQuote();
    await setStaticRates(fx.shop, { USD: "0.5" });
    const answer = await fx.checkout(
      mobileMoneyCheckout(await fx.createCart(), { fx_quote_id: quoteId }),
    );
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
    expect(await fx.findOrderUsingQuote(quoteId)).toBe(order_id);
  });

  it("charges only the total when the quote covers more", async () => {
    const quoteId = await fx.createQuote({ amount: "1000" });
    const answer = await fx.checkout(
      mobileMoneyCheckout(await fx.createCart(), { fx_quote_id: quoteId }),
    );
    expect(dataOf(answer).fx).toMatchObject({ pay_amount: "4.02" });
  });

  it.each([
    { to: "JPY", pay: "715", minor: 715 },
    { to: "KWD", pay: "1.255", minor: 1_255 },
  ])("uses the decimals of $to", async ({ to, pay, minor }) => {
    const quoteId = await fx.createQuote({ to });
    const body = mobileMoneyCheckout(await fx.createCart(), {
      fx_quote_id: quoteId,
      pay_currency: to,
    });
    expect(dataOf(await fx.checkout(body)).fx).toMatchObject({
      pay_amount: pay,
      pay_currency: to,
    });
    expect(await fx.charges()).toMatchObject([{ amount_minor: minor, currency: to }]);
  });

  it("stays within its round-trip budget", async () => {
    const quoteId = await fx.createQuote();
    const answer = await fx.checkout(
      mobileMoneyCheckout(await fx.createCart(), { fx_quote_id: quoteId }),
    );
    expect(answer.status).toBe(200);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(3);
    expect(roundTrips(answer).do).toBe(1);
  });

  it("stays within its round-trip budget with a cold catalogue", async () => {
    const quoteId = await fx.createQuote();
    const cartId = await fx.createCart();
    vi.setSystemTime(minutes(1));
    await fx.ask("GET", "/fx/rate?from=GHS&to=USD"); // caches only the key
    const answer = await fx.checkout(mobileMoneyCheckout(cartId, { fx_quote_id: quoteId }));
    expect(answer.status).toBe(200);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(3);
  });

  it("accepts cash in the other currency", async () => {
    const quoteId = await fx.createQuote();
    const cash = { payment_method: "cash", fx_quote_id: quoteId };
    expect(
      dataOf(await fx.checkout(mobileMoneyCheckout(await fx.createCart(), cash))).fx,
    ).toMatchObject({
      pay_amount: "4.02",
    });
    expect(await fx.rows("payments")).toMatchObject([{ amount_minor: 402, currency: "USD" }]);
  });

  it("charges 0 for a free order", async () => {
    await createDeal(fx.shop, { value: "100" });
    const answer = await fx.checkout(
      mobileMoneyCheckout(await fx.createCart(), { fx_quote_id: await fx.createQuote() }),
    );
    expect(dataOf(answer).fx).toMatchObject({ pay_amount: "0.00" });
  });
});

describe("POST /checkout with a pay_currency alone", () => {
  it("locks the current rate, stores the quote and charges by it", async () => {
    const answer = await fx.checkout(mobileMoneyCheckout(await fx.createCart()));
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

  it("makes no quote for the cart's own currency", async () => {
    const answer = await fx.checkout(
      mobileMoneyCheckout(await fx.createCart(), { pay_currency: "ghs" }),
    );
    expect(dataOf(answer).fx).toBeNull();
    expect(await fx.rows("fx_quotes")).toEqual([]);
    expect(await fx.rows("payments")).toMatchObject([{ amount_minor: 5_020, currency: "GHS" }]);
  });
});

describe("a resumed checkout in another currency", () => {
  it("keeps its quote and its rate", async () => {
    const fx_quote_id = await fx.createQuote();
    const body = mobileMoneyCheckout(await fx.createCart(), { fx_quote_id }, "0241234564");
    expect(await fx.checkout(body, { key: "lost" })).toMatchObject({ status: 503 });
    await setStaticRates(fx.shop, { USD: "0.5" });
    vi.setSystemTime(minutes(10));
    const answer = await fx.checkout(body, { key: "lost" });
    expect(dataOf(answer).fx).toEqual({
      quote_id: fx_quote_id,
      rate: "0.08",
      pay_amount: "4.02",
      pay_currency: "USD",
    });
    expect(await fx.charges()).toEqual([
      { amount_minor: 402, currency: "USD", status: "captured" },
    ]);
    const again = await fx.checkout(body, { key: "lost" });
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(answer.body));
  });

  it("uses its quote after it expired or was purged", async () => {
    const fx_quote_id = await fx.createQuote();
    const body = mobileMoneyCheckout(await fx.createCart(), { fx_quote_id });
    await fx.startOutage();
    expect(await fx.checkout(body, { key: "outage" })).toMatchObject({ status: 503 });
    await fx.endOutage();
    expect(await fx.findOrderUsingQuote(fx_quote_id)).toBeNull();
    await selectRows(fx.shop, "delete from fx_quotes where id = ?", fx_quote_id);
    vi.setSystemTime(minutes(6));
    expect(dataOf(await fx.checkout(body, { key: "outage" })).fx).toMatchObject({
      quote_id: fx_quote_id,
      pay_amount: "4.02",
    });
    expect(await fx.findOrderUsingQuote(fx_quote_id)).toBe((await fx.rows("orders"))[0]?.id);
  });
});

describe("a deal exhausted before the order is placed", () => {
  const checkoutWithExhaustedDeal = async (fields: object) => {
    const deal = await createDeal(fx.shop, { value: "50", usageLimit: 1 });
    const cartId = await fx.createCart();
    await selectRows(fx.shop, "update deals set times_redeemed = 1 where id = ?", deal.id);
    return fx.checkout(mobileMoneyCheckout(cartId, fields));
  };

  it("charges the higher total at the locked rate", async () => {
    expect(dataOf(await checkoutWithExhaustedDeal({})).fx).toMatchObject({ pay_amount: "4.02" });
    expect(await fx.rows("fx_quotes")).toMatchObject([
      { amount_minor: 5_020, converted_minor: 402 },
    ]);
  });
});
