import { invalid, isCurrency, unavailable } from "../kernel/index.ts";
import type { FxContext } from "./context.ts";
import type { CurrencyPair } from "./rate.ts";

/** interface.md, FX rate: indicative, and promised to nobody. */
export type FxRate = CurrencyPair & Readonly<{ rate: string; asOf: number; source: string }>;

/**
 * The rate of now, at most 60 s old; "1" from a currency to itself, which no provider is asked for.
 *
 * @throws Refusal VALIDATION_ERROR naming `from` or `to` for a currency that is unknown, to ISO 4217
 * or to the provider; SERVICE_UNAVAILABLE when it gives no answer.
 */
export async function readRate(
  { fx, now }: Pick<FxContext, "fx" | "now">,
  { from, to }: CurrencyPair,
): Promise<FxRate> {
  for (const [field, code] of Object.entries({ from, to })) {
    if (!isCurrency(code)) throw invalid(field, "is not a currency of ISO 4217");
  }
  if (from === to) return { from, to, rate: "1", asOf: now(), source: fx.source };
  const answer = await fx.rate({ from, to });
  switch (answer.type) {
    case "rate":
      return { from, to, rate: answer.rate, asOf: answer.asOf, source: fx.source };
    case "unknown_currency":
      throw invalid(answer.side, `there is no rate from ${from} to ${to}`);
    case "no_answer":
      throw unavailable("The provider of exchange rates did not answer; try again.");
  }
}
