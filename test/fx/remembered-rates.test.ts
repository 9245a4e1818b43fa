import { describe, expect, it } from "vitest";
import { type RemoteRates, rememberedRates } from "../../shared/fx/index.ts";

const at = Date.parse("2026-11-21T12:00:00Z");
const pair = { from: "GHS", to: "USD" };

describe("rates that are remembered", () => {
  const second = 1_000;

  /** A provider whose answers the test decides, with a clock and work put behind the answers. */
  function remembering(answers: Awaited<ReturnType<RemoteRates["fetch"]>>[]) {
    let time = at;
    let asked = 0;
    const work: Promise<unknown>[] = [];
    const remote: RemoteRates = {
      source: "remote",
      keyOf: ({ from, to }) => from + to,
      fetch: async () => {
        const answer = answers[Math.min(asked, answers.length - 1)];
        asked += 1;
        return answer ?? null;
      },
    };
    const provider = rememberedRates()(remote, {
      now: () => time,
      background: (one) => void work.push(one),
    });
    return {
      provider,
      asked: () => asked,
      later: (ms: number) => {
        time = at + ms;
      },
      settled: () => Promise.all(work),
    };
  }

  const table = (rate: string) => ({
    base: "GHS",
    rates: new Map([["USD", rate]]),
    asOf: at + 24 * 3_600 * second,
  });

  it("are asked for once within 30 s, and never dated ahead of the clock", async () => {
    const { provider, asked, later } = remembering([table("0.08"), table("0.09")]);
    expect(await provider.rate(pair)).toEqual({ type: "rate", rate: "0.08", asOf: at });
    later(29 * second);
    expect(await provider.rate(pair)).toMatchObject({ rate: "0.08" });
    expect(asked()).toBe(1);
  });

  it("are renewed behind the answer once they age, by one request alone", async () => {
    const { provider, asked, later, settled } = remembering([table("0.08"), table("0.09")]);
    await provider.rate(pair);
    later(40 * second);
    const both = await Promise.all([provider.rate(pair), provider.rate(pair)]);
    expect(both).toMatchObject([{ rate: "0.08" }, { rate: "0.08" }]);
    await settled();
    expect(asked()).toBe(2);
    expect(await provider.rate(pair)).toMatchObject({ rate: "0.09" });
  });

  it("stand for their 60 s while the provider is down, and not a moment longer", async () => {
    const { provider, later, settled } = remembering([table("0.08"), null]);
    await provider.rate(pair);
    for (const seconds of [40, 60]) {
      later(seconds * second);
      expect(await provider.rate(pair)).toMatchObject({ type: "rate", rate: "0.08" });
      await settled();
    }
    later(60 * second + 1);
    expect(await provider.rate(pair)).toEqual({ type: "no_answer" });
  });

  it("are asked for again after no answer, and kept apart by pair", async () => {
    const { provider, asked } = remembering([null, table("0.08")]);
    expect(await provider.rate(pair)).toEqual({ type: "no_answer" });
    expect(await provider.rate(pair)).toMatchObject({ rate: "0.08" });
    await provider.rate({ from: "USD", to: "GHS" });
    expect(asked()).toBe(3);
  });

  it("include that a pair is unknown, so that it is not asked for at every request", async () => {
    const { provider, asked } = remembering(["unknown"]);
    await provider.rate(pair);
    expect(await provider.rate(pair)).toEqual({ type: "unknown_currency", side: "to" });
    expect(asked()).toBe(1);
  });
});
