import type {
  AccountCheck,
  ProviderCredentials,
  ProviderName,
} from "../../../shared/businesses/index.ts";
import {
  checkPaystackAccount,
  type PaymentProvider,
  type ProviderLedger,
  parsePaystackWebhook,
  paystackLedger,
  paystackProvider,
} from "../../../shared/payments/index.ts";
import type { Settings } from "../settings.ts";

/** What happens beside the calls of an account. Failed calls are logged. */
export type AccountHooks = Readonly<{
  report: (failure: Readonly<{ call: string; problem: string }>) => void;
  onCredentialsRefused: () => void;
}> &
  Pick<PaymentProvider, "alert">;

/** A webhook of a provider whose signature was right. */
export type ProviderWebhook =
  | Readonly<{ type: "charge" | "refund"; event: string; reference: string }>
  | Readonly<{ type: "other" }>;

type SignedWebhook = Readonly<{ body: ArrayBuffer; headers: Headers }>;

/** How a provider is called with the credentials of a business. */
export type ProviderKind = Readonly<{
  createProvider: (credentials: ProviderCredentials, hooks: AccountHooks) => PaymentProvider;
  createLedger: (
    credentials: ProviderCredentials,
    hooks: Pick<AccountHooks, "report">,
  ) => ProviderLedger;
  checkAccount: (credentials: ProviderCredentials) => Promise<AccountCheck>;
  /** Null when the signature is missing or wrong. */
  parseWebhook: (
    webhook: SignedWebhook,
    credentials: ProviderCredentials,
  ) => Promise<ProviderWebhook | null>;
}>;

type KindSettings = Pick<Settings, "paystackApi">;

const fetchProvider = (url: string, init: RequestInit) => fetch(url, init);

/** The providers at which this version can connect accounts. */
const kinds: Readonly<Partial<Record<ProviderName, (settings: KindSettings) => ProviderKind>>> = {
  paystack: ({ paystackApi: { baseUrl, emailDomain } }) => ({
    createProvider: ({ secretKey }, hooks) =>
      paystackProvider({ secretKey, baseUrl, emailDomain, fetch: fetchProvider, ...hooks }),
    createLedger: ({ secretKey }, { report }) =>
      paystackLedger({ secretKey, baseUrl, fetch: fetchProvider, report }),
    checkAccount: (credentials) =>
      checkPaystackAccount(credentials, { baseUrl, fetch: fetchProvider }),
    parseWebhook: ({ body, headers }, { secretKey }) =>
      parsePaystackWebhook(body, {
        signature: headers.get("x-paystack-signature") ?? "",
        secretKey,
      }),
  }),
};

/** How a provider is called; null for one that this version does not know. */
export const providerKindOf = (provider: ProviderName, settings: KindSettings) =>
  kinds[provider]?.(settings) ?? null;
