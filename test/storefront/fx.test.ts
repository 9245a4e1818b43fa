import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, dataOf, roundTrips, shopper } from "../support/world.ts";
import { setFxSettings, setStaticRates } from "./create-fx-shop.ts";

const start = Date.parse("2031-03-01T12:00:00Z");
const minutes = (count: number) => start + count * 60_000;

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await createBusiness();
  ask = shopper(shop);
  await setStaticRates(shop, { USD: "0.08", JPY: "14.25", KWD: "0.025" });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const rate = (query: string) => ask("GET", `/fx/rate?${query}`);
const quote = (body: unknown) => ask("POST", "/fx/quotes", { body });
const count = async () =>
  (await selectRows(shop, "select 1 from fx_quotes where business_id = ?", shop.business.id))
    .length;

const refused = (field: string) => ({
  status: 400,
  body: { error: { code: "VALIDATION_ERROR", context: { field } } },
});

describe("GET /fx/rate", () => {
  it("returns the rate with its time and source, without a round trip", async () => {
    await rate("from=ghs&to=USD");
    const answer = await rate("from=ghs&to=USD");
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: {
          from: "GHS",
          to: "USD",
          rate: "0.08",
          as_of: "2031-03-01T12:00:00.000Z",
          source: "static",
        },
      },
    });
    expect(roundTrips(answer)).toMatchObject({ d1: 0, do: 0 });
    expect(dataOf(await rate("from=USD&to=KWD"))).toMatchObject({ rate: "0.3125" });
    expect(dataOf(await rate("from=CHF&to=CHF"))).toMatchObject({ rate: "1" });
  });

  it("knows the included currencies when the business configured no rates", async () => {
    await setFxSettings(shop, { static_rates: null });
    vi.setSystemTime(minutes(1));
    expect(dataOf(await rate("from=EUR&to=XOF"))).toMatchObject({
      rate: "655.957",
      source: "static",
    });
  });

  it.each([
    { what: "no currency", query: "to=USD", field: "from" },
    { what: "two letters", query: "from=GH&to=USD", field: "from" },
    { what: "digits", query: "from=GHS&to=U5D", field: "to" },
    { what: "an unknown currency", query: "from=QQQ&to=USD", field: "from" },
    { what: "a currency that the provider does not know", query: "from=GHS&to=CHF", field: "to" },
    {
      what: "a source currency that the provider does not know",
      query: "from=CHF&to=GHS",
      field: "from",
    },
  ])("rejects $what with its field", async ({ query, field }) => {
    expect(await rate(query)).toMatchObject(refused(field));
  });
});

describe("a remote provider", () => {
  const stubProvider = (answer: () => Response) => {
    const requests: string[] = [];
    vi.stubGlobal("fetch", async (url: string) => {
      requests.push(url);
      return answer();
    });
    return requests;
  };

  it("is called at most once a minute; the response is 503 when it is down", async () => {
    await setFxSettings(shop, { provider: "frankfurter" });
    vi.setSystemTime(minutes(10));
    const requests = stubProvider(() =>
      Response.json({ date: "2031-03-01", base: "GHS", quote: "GBP", rate: 0.0612 }),
    );
    const first = dataOf(await rate("from=GHS&to=GBP"));
    expect(first).toMatchObject({
      rate: "0.0612",
      as_of: "2031-03-01T00:00:00.000Z",
      source: "frankfurter",
    });
    expect(dataOf(await rate("from=GHS&to=GBP"))).toEqual(first);
    expect(requests).toEqual(["https://api.frankfurter.dev/v2/rate/GHS/GBP"]);

    stubProvider(() => new Response("down", { status: 503 }));
    vi.setSystemTime(minutes(11) + 1);
    const down = { status: 503, body: { error: { code: "SERVICE_UNAVAILABLE", retryable: true } } };
    expect(await rate("from=GHS&to=GBP")).toMatchObject(down);
    expect(await quote({ from: "GHS", to: "GBP", amount: "10" })).toMatchObject(down);
    expect(await count()).toBe(0);
  });

  it("returns 503 when the deployment has no key for it", async () => {
    await setFxSettings(shop, { provider: "openexchangerates" });
    vi.setSystemTime(minutes(1));
    expect(await rate("from=GHS&to=GBP")).toMatchObject({ status: 503 });
  });
});

describe("POST /fx/quotes", () => {
  it("locks the rate for 5 minutes, in one round trip", async () => {
    await rate("from=GHS&to=USD");
    const answer = await quote({ from: "GHS", to: "USD", amount: "125.05" });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: {
          quote_id: expect.stringMatching(/^fxq_[0-9a-z]{26}$/),
          from: "GHS",
          to: "USD",
          amount: "125.05",
          rate: "0.08",
          converted_amount: "10.00",
          expires_at: "2031-03-01T12:05:00.000Z",
        },
      },
    });
    expect(roundTrips(answer)).toMatchObject({ d1: 1, do: 0 });
    expect(await count()).toBe(1);
  });

  it("uses each currency's decimals, half to even, and accepts numbers", async () => {
    expect(dataOf(await quote({ from: "ghs", to: "jpy", amount: 2 }))).toMatchObject({
      amount: "2.00",
      converted_amount: "28",
    });
    expect(dataOf(await quote({ from: "GHS", to: "KWD", amount: "0.1" }))).toMatchObject({
      amount: "0.10",
      converted_amount: "0.002",
    });
    expect(dataOf(await quote({ from: "JPY", to: "KWD", amount: "57" }))).toMatchObject({
      amount: "57",
      rate: "0.001754385965",
      converted_amount: "0.100",
    });
    expect(dataOf(await quote({ from: "GHS", to: "GHS", amount: "1.50" }))).toMatchObject({
      rate: "1",
      converted_amount: "1.50",
    });
  });

  it.each([
    { what: "a currency of four letters", fields: { from: "CEDI" }, field: "from" },
    { what: "no currency", fields: { to: undefined }, field: "to" },
    { what: "an unknown currency", fields: { to: "QQQ" }, field: "to" },
    { what: "a currency without a rate", fields: { to: "CHF" }, field: "to" },
    { what: "no amount", fields: { amount: undefined }, field: "amount" },
    { what: "an amount of 0", fields: { amount: "0.00" }, field: "amount" },
    { what: "an amount below 0", fields: { amount: -5 }, field: "amount" },
    { what: "a word", fields: { amount: "ten" }, field: "amount" },
    { what: "an exponent", fields: { amount: "1e3" }, field: "amount" },
    { what: "too many decimals", fields: { amount: "1.005" }, field: "amount" },
    { what: "decimals of yen", fields: { from: "JPY", amount: "1.5" }, field: "amount" },
    {
      what: "an amount too large in the other currency",
      fields: { to: "JPY", amount: "9999999999999" },
      field: "amount",
    },
  ])("rejects $what with its field and stores nothing", async ({ fields, field }) => {
    expect(await quote({ from: "GHS", to: "USD", amount: "1", ...fields })).toMatchObject(
      refused(field),
    );
    expect(await count()).toBe(0);
  });
});
