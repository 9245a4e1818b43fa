import { describe, expect, it } from "vitest";
import { frankfurter, openExchangeRates, staticRates } from "../../shared/fx/index.ts";
import type { Fetch } from "../../shared/kernel/index.ts";

const at = Date.parse("2026-11-21T12:00:00Z");
const now = () => at;
const pair = { from: "GHS", to: "USD" };

const shipped = ["EUR", "USD", "GBP", "GHS", "NGN", "KES", "XOF", "ZAR", "JPY", "KWD"];

/** A fake server that records requests and returns `answer`. */
function fakeServer(answer: (url: string) => Response | Promise<Response>) {
  const requests: { url: string; init: RequestInit }[] = [];
  const fetch: Fetch = async (url, init) => {
    requests.push({ url, init });
    return answer(url);
  };
  return { requests, fetch };
}

const json = (text: string, status = 200) =>
  new Response(text, { status, headers: { "Content-Type": "application/json; charset=utf-8" } });

describe("the static provider", () => {
  it("has a dated cross rate for all included currencies", async () => {
    const provider = staticRates(null, now);
    for (const from of shipped) {
      for (const to of shipped) {
        const answer = await provider.rate({ from, to });
        expect(answer).toMatchObject({
          type: "rate",
          rate: expect.stringMatching(/^\d+(\.\d+)?$/),
        });
        if (from === to) expect(answer).toMatchObject({ rate: "1" });
      }
    }
    expect(provider.source).toBe("static");
    expect(await provider.rate({ from: "EUR", to: "XOF" })).toEqual({
      type: "rate",
      rate: "655.957",
      asOf: Date.UTC(2026, 10, 1),
    });
  });

  it("uses the business's configured table", async () => {
    const provider = staticRates({ base: "GHS", rates: { USD: "0.08", KWD: "0.025" } }, now);
    const rates = [
      await provider.rate({ from: "GHS", to: "USD" }),
      await provider.rate({ from: "USD", to: "GHS" }),
      await provider.rate({ from: "USD", to: "KWD" }),
    ];
    expect(rates).toEqual(
      ["0.08", "12.5", "0.3125"].map((rate) => ({ type: "rate", rate, asOf: at })),
    );
  });

  it("reports which currency is unknown", async () => {
    const provider = staticRates(null, now);
    expect(await provider.rate({ from: "CHF", to: "GHS" })).toEqual({
      type: "unknown_currency",
      side: "from",
    });
    expect(await provider.rate({ from: "GHS", to: "CHF" })).toEqual({
      type: "unknown_currency",
      side: "to",
    });
  });
});

describe("frankfurter", () => {
  const documented = '{"date":"2026-11-20","base":"GHS","quote":"USD","rate":0.08123456789123}';

  it("requests the pair and keeps 10 digits", async () => {
    const { requests, fetch } = fakeServer(() => json(documented));
    expect(await frankfurter({ fetch }).fetch(pair)).toEqual({
      base: "GHS",
      rates: new Map([["USD", "0.08123456789"]]),
      asOf: Date.parse("2026-11-20T00:00:00Z"),
    });
    expect(requests).toMatchObject([
      { url: "https://api.frankfurter.dev/v2/rate/GHS/USD", init: { redirect: "manual" } },
    ]);
  });

  it.each([404, 422])("treats %d as an unknown pair", async (status) => {
    const { fetch } = fakeServer(() => json('{"status":404,"message":"not found"}', status));
    expect(await frankfurter({ fetch }).fetch(pair)).toBe("unknown");
  });

  it.each([
    ["of another pair", documented.replace("USD", "EUR")],
    ["whose rate is 0", documented.replace(/0\.08\d+/, "0")],
    ["whose rate is negative", documented.replace("0.08", "-0.08")],
    ["without a rate", '{"date":"2026-11-20","base":"GHS","quote":"USD"}'],
    ["with a broken date", documented.replace("2026-11-20", "2026-13-40")],
  ])("ignores a response %s", async (_what, text) => {
    const { fetch } = fakeServer(() => json(text));
    expect(await frankfurter({ fetch }).fetch(pair)).toBeNull();
  });
});

describe("openexchangerates", () => {
  const documented = `{
    "disclaimer": "Usage subject to terms", "license": "https://openexchangerates.org/license",
    "timestamp": 1795262400, "base": "USD",
    "rates": { "EUR": 0.86, "GHS": 10.9482, "KWD": 0.30701, "BTC": 1.0345e-05, "XXX": 0 }
  }`;

  it("requests all currencies with its key and leaves out invalid rates", async () => {
    const { requests, fetch } = fakeServer(() => json(documented));
    const provider = openExchangeRates("key&1", { fetch });
    expect(await provider.fetch(pair)).toEqual({
      base: "USD",
      rates: new Map([
        ["EUR", "0.86"],
        ["GHS", "10.9482"],
        ["KWD", "0.30701"],
        ["BTC", "0.000010345"],
      ]),
      asOf: 1_795_262_400_000,
    });
    expect(requests.map(({ url }) => url)).toEqual([
      "https://openexchangerates.org/api/latest.json?app_id=key%261",
    ]);
    expect(provider.keyOf(pair)).toBe(provider.keyOf({ from: "EUR", to: "KWD" }));
  });

  it.each([
    [401, "invalid_app_id"],
    [403, "access_restricted"],
    [429, "not_allowed"],
  ])("treats %d as no response", async (status, message) => {
    const { fetch } = fakeServer(() =>
      json(JSON.stringify({ error: true, status, message, description: "…" }), status),
    );
    expect(await openExchangeRates("key", { fetch }).fetch(pair)).toBeNull();
  });

  it.each([
    ["without its rates", '{"timestamp":1,"base":"USD"}'],
    ["with a rate that is no number", '{"timestamp":1,"base":"USD","rates":{"EUR":null}}'],
    ["with a broken time", '{"timestamp":"soon","base":"USD","rates":{"EUR":1}}'],
  ])("ignores a response %s", async (_what, text) => {
    const { fetch } = fakeServer(() => json(text));
    expect(await openExchangeRates("key", { fetch }).fetch(pair)).toBeNull();
  });
});

describe.each([
  ["frankfurter", (fetch: Fetch, timeoutMs = 1_000) => frankfurter({ fetch, timeoutMs })],
  [
    "openexchangerates",
    (fetch: Fetch, timeoutMs = 1_000) => openExchangeRates("key", { fetch, timeoutMs }),
  ],
] as const)("%s without a response", (_name, provider) => {
  it.each([
    ["when it fails", () => json("{}", 500)],
    ["when it is overloaded", () => json("{}", 503)],
    ["when it redirects", () => new Response(null, { status: 302, headers: { Location: "/" } })],
    ["when it sends no JSON", () => json("<html>")],
    ["when it sends nothing", () => new Response(null)],
    ["when it sends a list", () => json("[]")],
    ["when it cannot be reached", () => Promise.reject(new Error("connection refused"))],
  ])("%s", async (_what, answer) => {
    expect(await provider(fakeServer(answer).fetch).fetch(pair)).toBeNull();
  });

  it("when it times out", async () => {
    const hangs: Fetch = (_url, { signal }) =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener("abort", () => reject(signal.reason)),
      );
    expect(await provider(hangs, 20).fetch(pair)).toBeNull();
  });

  it("when the body never ends", async () => {
    let sent = 0;
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 8_192;
        controller.enqueue(new Uint8Array(8_192).fill(32));
      },
      cancel() {
        isCancelled = true;
      },
    });
    expect(await provider(fakeServer(() => new Response(endless)).fetch).fetch(pair)).toBeNull();
    expect(isCancelled).toBe(true);
    expect(sent).toBeLessThanOrEqual(128 * 1_024);
  });
});
