import { type Business, isSelling } from "../../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../../shared/database/index.ts";
import type { Tenant } from "../../../shared/kernel/index.ts";
import {
  type CardPageUrl,
  cashProvider,
  type PaymentProvider,
  type PaystackSettings as PaystackConnection,
  type ProviderLookup,
  paystackProvider,
  sandboxProvider,
  withoutCharges,
} from "../../../shared/payments/index.ts";
import { log } from "../log.ts";
import { runtime } from "../runtime.ts";
import type { PaystackSettings, Settings } from "../settings.ts";

/**
 * Creates the lookup of a business's payment providers: cash for cash, the sandbox in test mode,
 * Paystack in live mode if it is configured. A business that does not sell charges nobody. Calls of
 * the sandbox count as provider calls, although its records are in the shard.
 */
export function createProviderLookup(
  business: Tenant & Pick<Business, "status">,
  shop: D1Database,
  settings: Pick<Settings, "paystack">,
): ProviderLookup {
  const configured =
    business.mode === "live"
      ? createPaystackIfConfigured(settings)
      : createSandboxProvider(business, shop);
  const provider = configured && !isSelling(business) ? withoutCharges(configured) : configured;
  const all = [cashProvider, ...(provider ? [provider] : [])];
  return {
    forMethod: (method) => (method === "cash" ? cashProvider : provider),
    byName: (name) => all.find((one) => one.name === name) ?? null,
  };
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
