import { describe, expect, it } from "vitest";
import { createRateCache, type RemoteFxProvider } from "../../shared/fx/index.ts";

const at = Date.parse("2026-11-21T12:00:00Z");
const pair = { from: "GHS", to: "USD" };

describe("createRateCache", () => {
  const second = 1_000;

  /** A cached provider with scripted responses, a clock and background work. */
  function createCachedProvider(responses: Awaited<ReturnType<RemoteFxProvider["fetch"]>>[]) {
    let time = at;
    let callCount = 0;
    const work: Promise<unknown>[] = [];
    const remote: RemoteFxProvider = {
      source: "remote",
      keyOf: ({ from, to }) => from + to,
      fetch: async () => {
        const response = responses[Math.min(callCount, responses.length - 1)];
        callCount += 1;
        return response ?? null;
      },
    };
    const provider = createRateCache()(remote, {
      now: () => time,
      background: (promise) => void work.push(promise),
    });
    return {
      provider,
      callCount: () => callCount,
      setElapsed: (ms: number) => {
        time = at + ms;
      },
      waitForBackground: () => Promise.all(work),
    };
  }

  const table = (rate: string) => ({
    base: "GHS",
    rates: new Map([["USD", rate]]),
    asOf: at + 24 * 3_600 * second,
  });

  it("calls the provider once within 30 s and never returns a future date", async () => {
    const { provider, callCount, setElapsed } = createCachedProvider([
      table("0.08"),
      table("0.09"),
    ]);
    expect(await provider.rate(pair)).toEqual({ type: "rate", rate: "0.08", asOf: at });
    setElapsed(29 * second);
    expect(await provider.rate(pair)).toMatchObject({ rate: "0.08" });
    expect(callCount()).toBe(1);
  });

  it("renews ageing rates in the background, by one request", async () => {
    const { provider, callCount, setElapsed, waitForBackground } = createCachedProvider([
      table("0.08"),
      table("0.09"),
    ]);
    await provider.rate(pair);
    setElapsed(40 * second);
    const both = await Promise.all([provider.rate(pair), provider.rate(pair)]);
    expect(both).toMatchObject([{ rate: "0.08" }, { rate: "0.08" }]);
    await waitForBackground();
    expect(callCount()).toBe(2);
    expect(await provider.rate(pair)).toMatchObject({ rate: "0.09" });
  });

  it("keeps rates for 60 s while the provider is down", async () => {
    const { provider, setElapsed, waitForBackground } = createCachedProvider([table("0.08"), null]);
    await provider.rate(pair);
    for (const seconds of [40, 60]) {
      setElapsed(seconds * second);
      expect(await provider.rate(pair)).toMatchObject({ type: "rate", rate: "0.08" });
      await waitForBackground();
    }
    setElapsed(60 * second + 1);
    expect(await provider.rate(pair)).toEqual({ type: "no_answer" });
  });

  it("retries after no response and caches by pair", async () => {
    const { provider, callCount } = createCachedProvider([null, table("0.08")]);
    expect(await provider.rate(pair)).toEqual({ type: "no_answer" });
    expect(await provider.rate(pair)).toMatchObject({ rate: "0.08" });
    await provider.rate({ from: "USD", to: "GHS" });
    expect(callCount()).toBe(3);
  });

  it("caches unknown pairs", async () => {
    const { provider, callCount } = createCachedProvider(["unknown"]);
    await provider.rate(pair);
    expect(await provider.rate(pair)).toEqual({ type: "unknown_currency", side: "to" });
    expect(callCount()).toBe(1);
  });
});
