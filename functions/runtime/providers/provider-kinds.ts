import type {
  AccountCheck,
  ProviderCredentials,
  ProviderName,
} from "../../../shared/businesses/index.ts";
import {
  checkPaystackAccount,
  checkStripeAccount,
  createStripeDisputes,
  type PaymentProvider,
  type ProviderLedger,
  parsePaystackWebhook,
  parseStripeWebhook,
  paystackLedger,
  paystackProvider,
  type StripeDispute,
  stripeLedger,
  stripeProvider,
} from "../../../shared/payments/index.ts";
import { log } from "../log.ts";
import { runtime } from "../runtime.ts";
import type { Settings } from "../settings.ts";

/** What happens beside the calls of an account. Failed calls are logged. */
export type AccountHooks = Readonly<{
  report: (failure: Readonly<{ call: string; problem: string }>) => void;
  onCredentialsRefused: () => void;
}> &
  Pick<PaymentProvider, "alert">;

/** A webhook of a provider whose signature was right. */
export type ProviderWebhook =
  | Readonly<{
      type: "charge" | "refund";
      event: string;
      reference: string;
      /** The provider's own id of the charge. */
      providerReference?: string;
    }>
  | Readonly<{ type: "dispute"; event: string; disputeId: string }>
  | Readonly<{ type: "other" }>;

type SignedWebhook = Readonly<{ body: ArrayBuffer; headers: Headers }>;

/** How a provider is called with the credentials of a business. */
export type ProviderKind = Readonly<{
  createProvider: (credentials: ProviderCredentials, hooks: AccountHooks) => PaymentProvider;
  createLedger: (
    credentials: ProviderCredentials,
    hooks: Pick<AccountHooks, "report">,
  ) => ProviderLedger;
  /** Finds a dispute as it is now. Null for a provider that reports none. */
  createDisputes:
    | ((
        credentials: ProviderCredentials,
        hooks: Pick<AccountHooks, "report">,
      ) => (id: string) => Promise<StripeDispute | null | "no_answer">)
    | null;
  /** Whether a charge that is not paid yet can be closed. */
  voidsCharges: boolean;
  checkAccount: (credentials: ProviderCredentials) => Promise<AccountCheck>;
  /** Null when the signature is missing or wrong. */
  parseWebhook: (
    webhook: SignedWebhook,
    credentials: ProviderCredentials,
  ) => Promise<ProviderWebhook | null>;
}>;

type KindSettings = Pick<Settings, "paystackApi" | "stripeBaseUrl">;

const fetchProvider = (url: string, init: RequestInit) => fetch(url, init);

/** The providers at which this version can connect accounts. */
const kinds: Readonly<Record<ProviderName, (settings: KindSettings) => ProviderKind>> = {
  paystack: ({ paystackApi: { baseUrl, emailDomain } }) => ({
    createProvider: ({ secretKey }, hooks) =>
      paystackProvider({ secretKey, baseUrl, emailDomain, fetch: fetchProvider, ...hooks }),
    createLedger: ({ secretKey }, { report }) =>
      paystackLedger({ secretKey, baseUrl, fetch: fetchProvider, report }),
    createDisputes: null,
    voidsCharges: false,
    checkAccount: (credentials) =>
      checkPaystackAccount(credentials, { baseUrl, fetch: fetchProvider }),
    parseWebhook: ({ body, headers }, { secretKey }) =>
      parsePaystackWebhook(body, {
        signature: headers.get("x-paystack-signature") ?? "",
        secretKey,
      }),
  }),
  stripe: ({ stripeBaseUrl: baseUrl }) => {
    const api = { baseUrl, fetch: fetchProvider };
    return {
      createProvider: ({ secretKey }, hooks) =>
        stripeProvider({ ...api, secretKey, now: runtime.now, ...hooks }),
      createLedger: ({ secretKey }, { report }) => stripeLedger({ ...api, secretKey, report }),
      createDisputes: ({ secretKey }, { report }) =>
        createStripeDisputes({ ...api, secretKey, report }),
      voidsCharges: true,
      checkAccount: ({ secretKey, publishableKey, webhookSecret }) =>
        checkStripeAccount(
          { secretKey, publishableKey: publishableKey ?? "", webhookSecret: webhookSecret ?? "" },
          { ...api, report: (failure) => log("warn", "payment provider call failed", failure) },
        ),
      parseWebhook: async ({ body, headers }, { webhookSecret }) =>
        webhookSecret === null
          ? null
          : parseStripeWebhook({
              body,
              signature: headers.get("stripe-signature") ?? "",
              secret: webhookSecret,
              now: runtime.now(),
            }),
    };
  },
};

/** How a provider is called. */
export const providerKindOf = (provider: ProviderName, settings: KindSettings): ProviderKind =>
  kinds[provider](settings);
