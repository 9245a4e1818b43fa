import { invalid, isCurrency, unavailable } from "../kernel/index.ts";
import type { FxContext } from "./provider.ts";
import type { CurrencyPair } from "./rate.ts";

/** The current rate for information. It is not locked for a payment. */
export type FxRate = CurrencyPair & Readonly<{ rate: string; asOf: number; source: string }>;

/**
 * Reads a rate that is at most 60 s old. The rate of a currency to itself is "1" and needs no
 * provider.
 *
 * @throws Refusal VALIDATION_ERROR naming `from` or `to` for a currency that ISO 4217 or the
 * provider does not know; SERVICE_UNAVAILABLE when the provider does not respond or none is
 * configured.
 */
export async function readRate(
  { fx, now }: Pick<FxContext, "fx" | "now">,
  { from, to }: CurrencyPair,
): Promise<FxRate> {
  for (const [field, code] of Object.entries({ from, to })) {
    if (!isCurrency(code)) throw invalid(field, "is not a currency of ISO 4217");
  }
  if (from === to) return { from, to, rate: "1", asOf: now(), source: fx.source };
  if (!fx.isConfigured) throw unavailable("This business has no exchange rates configured.");
  const answer = await fx.rate({ from, to });
  switch (answer.type) {
    case "rate":
      return { from, to, rate: answer.rate, asOf: answer.asOf, source: fx.source };
    case "unknown_currency":
      throw invalid(answer.side, `there is no rate from ${from} to ${to}`);
    case "no_answer":
      throw unavailable("The provider of exchange rates did not respond. Try again.");
  }
}
