import { z } from "zod";
import {
  createStripeClient,
  isKeyRefused,
  type StripeConnection,
  type StripeResponse,
} from "./client.ts";

type StripeCredentials = Readonly<{
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
}>;

type StripeAccountCheck =
  | Readonly<{ type: "accepted"; methods: readonly "card"[]; currencies: readonly string[] }>
  | Readonly<{ type: "refused"; reason: string }>
  | Readonly<{ type: "no_answer" }>;

const AccountData = z.object({
  country: z.string().nullish(),
  charges_enabled: z.boolean(),
  capabilities: z.object({ card_payments: z.string().nullish() }).nullish(),
});
const CountryData = z.object({ supported_payment_currencies: z.array(z.string()) });

const secretForm = /^(?:sk|rk)_(test|live)_\w+$/;
const publishableForm = /^pk_(test|live)_\w+$/;
const webhookForm = /^whsec_\w+$/;

const refused = (reason: string): StripeAccountCheck => ({ type: "refused", reason });

/**
 * Asks Stripe whether it accepts the keys, and what the account takes: cards, in the currencies of
 * its country. The publishable key and the webhook's secret can only be checked for their form.
 */
export async function checkStripeAccount(
  { secretKey, publishableKey, webhookSecret }: StripeCredentials,
  connection: Omit<StripeConnection, "secretKey">,
): Promise<StripeAccountCheck> {
  const [, secretMode] = secretForm.exec(secretKey) ?? [];
  const [, publishableMode] = publishableForm.exec(publishableKey) ?? [];
  if (secretMode === undefined) return refused("secret_key must be a secret key of Stripe.");
  if (publishableMode === undefined) {
    return refused("publishable_key must be a publishable key of Stripe.");
  }
  if (secretMode !== publishableMode) return refused("The keys must be of the same mode.");
  if (!webhookForm.test(webhookSecret)) {
    return refused("webhook_secret must be the signing secret of a webhook endpoint, whsec_….");
  }
  const callStripe = createStripeClient({ ...connection, secretKey });
  const account = await callStripe({
    name: "GET /v1/account",
    send: ({ accounts }) => accounts.retrieveCurrent(),
    Data: AccountData,
  });
  if (account.type !== "ok") return refusalOf(account);
  const { country, charges_enabled: isEnabled, capabilities } = account.data;
  const takesCards = (capabilities?.card_payments ?? "active") === "active";
  if (!isEnabled || !takesCards) return refused("The account does not take card payments yet.");
  const spec = await callStripe({
    name: "GET /v1/country_specs/{id}",
    send: ({ countrySpecs }) => countrySpecs.retrieve(country ?? "US"),
    Data: CountryData,
  });
  if (spec.type !== "ok") return { type: "no_answer" };
  const currencies = spec.data.supported_payment_currencies.map((code) => code.toUpperCase());
  return { type: "accepted", methods: ["card"], currencies };
}

const refusalOf = (
  response: Exclude<StripeResponse<unknown>, { type: "ok" }>,
): StripeAccountCheck => {
  if (response.type === "refused") return refused("Stripe does not accept the secret key.");
  return isKeyRefused(response)
    ? refused("Stripe does not accept the secret key.")
    : { type: "no_answer" };
};
