import {
  type Business,
  isSelling,
  type ProviderName,
  providerNames,
  routeOf,
  takesPayment,
} from "../../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../../shared/database/index.ts";
import { countEvent, type Tenant } from "../../../shared/kernel/index.ts";
import {
  type CardPageUrl,
  type ChargeResult,
  cashProvider,
  type PaymentProvider,
  type PaystackSettings as PaystackConnection,
  type ProviderLookup,
  paystackProvider,
  sandboxProvider,
  withoutCharges,
  withoutRenewals,
} from "../../../shared/payments/index.ts";
import { log } from "../log.ts";
import { runtime } from "../runtime.ts";
import type { PaystackSettings, Settings } from "../settings.ts";
import { type AccountSettings, createAccountProvider } from "./account-providers.ts";

type PayingBusiness = Tenant &
  Pick<Business, "status" | "payments" | "settings" | "providerAccounts">;

type ProviderResources = Readonly<{
  core: D1Database;
  shop: D1Database;
  settings: AccountSettings & Pick<Settings, "paystack">;
}>;

/**
 * Creates the lookup of a business's payment providers: cash, its own accounts, the deployment's
 * account where the operator allows it, and the sandbox in test mode. A business that does not sell
 * charges nobody. Calls of the sandbox count as provider calls, although its records are in the shard.
 */
export function createProviderLookup(
  business: PayingBusiness,
  { core, shop, settings }: ProviderResources,
): ProviderLookup {
  const resources = { core, shop, settings };
  const accounts = providerNames.flatMap(
    (name) => createAccountProvider(business, name, resources) ?? [],
  );
  const isLive = business.mode === "live";
  const sandbox = isLive ? null : createSandboxProvider(business, shop);
  const platform = isLive && settings.paystack ? createPaystackProvider(settings.paystack) : null;
  const usesPlatform = business.payments === "platform";
  const withStatus = (provider: PaymentProvider): PaymentProvider =>
    isSelling(business) ? withCountedCharges(provider) : withoutCharges(provider);

  /** The deployment's account serves a method after the business's own accounts of its provider. */
  function routePayment(name: ProviderName, method: string, currency: string) {
    const own = accounts.find(({ account }) => account.provider === name);
    if (own && takesPayment(own.account, method, currency)) return own.provider;
    return name === "paystack" && usesPlatform ? platform : null;
  }

  function forMethod(method: string, currency: string): PaymentProvider | null {
    if (method === "cash") return cashProvider;
    for (const name of routeOf(business, method)) {
      const routed = routePayment(name, method, currency);
      if (routed) return withStatus(routed);
    }
    return sandbox && withStatus(sandbox);
  }

  const all = [
    ...accounts.map(({ provider }) => provider),
    ...(platform ? [usesPlatform ? platform : withoutRenewals(platform)] : []),
    ...(sandbox ? [sandbox] : []),
  ];
  const byName = (name: string): PaymentProvider | null => {
    if (name === cashProvider.name) return cashProvider;
    const found = all.find((provider) => provider.name === name);
    return found ? withStatus(found) : null;
  };
  return { forMethod, byName };
}

/** The provider, whose charges are counted by how they ended. */
function withCountedCharges(provider: PaymentProvider): PaymentProvider {
  const { name, chargeAgain } = provider;
  const count = (result: ChargeResult): ChargeResult => {
    countEvent("charges_total", { provider: name, outcome: result.type });
    return result;
  };
  return {
    ...provider,
    charge: async (request) => count(await provider.charge(request)),
    ...(chargeAgain && { chargeAgain: async (request) => count(await chargeAgain(request)) }),
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
