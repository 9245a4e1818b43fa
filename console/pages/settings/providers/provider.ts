import { type BusinessSchemas, DukaError } from "@duka/sdk/business";
import type { UseQueryResult } from "@tanstack/react-query";
import { useShop } from "../../../api/shop.ts";
import { useRecord } from "../../../api/use-record.ts";

export type ProviderAccount = BusinessSchemas["PaymentProvider"];
export type Provider = ProviderAccount["provider"];
export type ProviderKeys = Required<BusinessSchemas["ProviderCredentials"]>;
type KeyName = keyof ProviderKeys;

type ProviderFacts = Readonly<{
  name: string;
  takes: string;
  /** Where the keys are in the provider's dashboard. */
  keysAt: string;
  keys: readonly KeyName[];
  /** What to do with the webhook's address. */
  webhook: string;
}>;

/** The payment providers, in the order in which the page shows them. */
export const providers: Readonly<Record<Provider, ProviderFacts>> = {
  stripe: {
    name: "Stripe",
    takes: "cards",
    keysAt: "The keys are in Stripe's dashboard under Developers, API keys and Webhooks.",
    keys: ["secret_key", "publishable_key", "webhook_secret"],
    webhook:
      "Create a webhook endpoint with this address in Stripe's dashboard, for the events checkout.session.completed, checkout.session.expired, payment_intent.succeeded, payment_intent.payment_failed, refund.updated and charge.dispute.*. Its signing secret is one of the keys.",
  },
  paystack: {
    name: "Paystack",
    takes: "cards, and mobile money in GHS and KES",
    keysAt: "The key is in Paystack's dashboard under Settings, API Keys & Webhooks.",
    keys: ["secret_key"],
    webhook: "Enter this address as the webhook in Paystack's dashboard.",
  },
};

export const keyNames: Readonly<Record<KeyName, string>> = {
  secret_key: "Secret key",
  publishable_key: "Publishable key",
  webhook_secret: "Signing secret of the webhook",
};

/** The business's accounts. */
export function useProviderAccounts(): UseQueryResult<readonly ProviderAccount[]> {
  const { api } = useShop();
  return useRecord({
    key: ["payment-providers"],
    get: (options) => api.paymentProviders.list(options),
  });
}

/** Where a provider sends its webhooks, also before an account is connected. */
export const webhookAddress = (provider: Provider, businessId: string): string =>
  `${window.location.origin}/api/v1/payments/providers/${provider}/webhook/${businessId}`;

/** Refused keys name no field; the text begins with the key that is wrong, or is about the first. */
export function withRefusedKey(error: unknown): unknown {
  if (!(error instanceof DukaError) || error.rule !== "CREDENTIALS_REFUSED") return error;
  const names: readonly KeyName[] = ["publishable_key", "webhook_secret"];
  const field = names.find((name) => error.message.startsWith(name)) ?? "secret_key";
  const { code, message, status, retryable, context } = error;
  return new DukaError({ code, message, status, retryable, context: { ...context, field } });
}
