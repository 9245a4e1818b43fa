import { z } from "zod";
import { type AccountCheck, mobileMoneyCurrencies } from "../../businesses/index.ts";
import { callProvider, type ProviderTransport, parseJson, second } from "../../kernel/index.ts";

const limits = { timeoutMs: 10 * second, maxBytes: 64 * 1024 } as const;

const Balances = z.object({
  data: z.array(z.object({ currency: z.string().regex(/^[A-Z]{3}$/) })).min(1),
});

/**
 * Asks Paystack for the balances of an account, which exist for each currency that it takes. Never
 * throws.
 */
export async function checkPaystackAccount(
  { secretKey }: Readonly<{ secretKey: string }>,
  { baseUrl, ...transport }: ProviderTransport & Readonly<{ baseUrl: string }>,
): Promise<AccountCheck> {
  const response = await callProvider({ ...limits, ...transport }, `${baseUrl}/balance`, {
    headers: { Authorization: `Bearer ${secretKey}`, Accept: "application/json" },
  });
  if (response.type === "no_answer") return response;
  const { status, text } = response;
  if (status === 401) {
    return { type: "refused", reason: "Paystack does not know this secret_key." };
  }
  if (status === 403) {
    const reason = "Paystack does not allow this secret_key from here. Remove its IP whitelist.";
    return { type: "refused", reason };
  }
  const balances = Balances.safeParse(text === null ? null : parseJson(text));
  if (status !== 200 || !balances.success) return { type: "no_answer" };
  const currencies = [...new Set(balances.data.data.map(({ currency }) => currency))].sort();
  const hasMobileMoney = mobileMoneyCurrencies.some((currency) => currencies.includes(currency));
  const methods = hasMobileMoney ? (["card", "mobile_money"] as const) : (["card"] as const);
  return { type: "accepted", methods, currencies };
}
