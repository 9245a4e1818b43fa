import { openDb } from "../../../shared/database/index.ts";
import { createMeter, type Tenant } from "../../../shared/kernel/index.ts";
import {
  type CardPageUrl,
  cashProvider,
  type PaymentProvider,
  type PaystackSettings as PaystackConnection,
  type ProviderLookup,
  paystackProvider,
  sandboxProvider,
} from "../../../shared/payments/index.ts";
import { log } from "../log.ts";
import { runtime } from "../runtime.ts";
import type { PaystackSettings, Settings } from "../settings.ts";

/**
 * Finds a business's payment provider for a payment method. Cards and mobile money use the sandbox
 * in test mode, and Paystack in live mode if configured. The sandbox's queries are not counted,
 * because they stand for the calls of an external provider.
 */
export function createProviderLookup(
  business: Tenant,
  shop: D1Database,
  settings: Pick<Settings, "paystack">,
): ProviderLookup {
  const provider =
    business.mode === "live"
      ? createPaystackIfConfigured(settings)
      : createSandboxProvider(business, shop);
  const providers = new Map<string, PaymentProvider | null>([
    ["cash", cashProvider],
    ["card", provider],
    ["mobile_money", provider],
  ]);
  return (method) => providers.get(method) ?? null;
}

/**
 * The page on which a sandbox card payment is approved or declined. Nobody can guess the reference
 * in the URL.
 */
export const sandboxCardPath = "/payments/sandbox/:business_id/:reference";

function createSandboxProvider(business: Tenant, shop: D1Database): PaymentProvider {
  const cardPageUrl: CardPageUrl = ({ origin, reference }) =>
    `${origin}/api/v1/payments/sandbox/${business.id}/${reference}`;
  return sandboxProvider(openDb(shop, createMeter()), { now: runtime.now, cardPageUrl });
}

function createPaystackIfConfigured({
  paystack,
}: Pick<Settings, "paystack">): PaymentProvider | null {
  return paystack && createPaystackProvider(paystack);
}

/** The settings and functions with which Paystack is called. Failed calls are logged. */
export const paystackConnection = (settings: PaystackSettings): PaystackConnection => ({
  ...settings,
  fetch: (url, init) => fetch(url, init),
  report: (failure) =>
    log("warn", "payment provider call failed", { provider: "paystack", ...failure }),
});

const createPaystackProvider = (settings: PaystackSettings): PaymentProvider =>
  paystackProvider({
    ...paystackConnection(settings),
    emailDomain: settings.emailDomain,
    alert: ({ what, ...facts }) => log("error", what, { provider: "paystack", ...facts }),
  });
