import { openDb } from "../../shared/database/index.ts";
import { createMeter, type Tenant } from "../../shared/kernel/index.ts";
import {
  type CardPage,
  cashProvider,
  type PaymentProvider,
  type PaystackSettings as PaystackCalls,
  type ProviderFor,
  paystackProvider,
  sandboxProvider,
} from "../../shared/payments/index.ts";
import { log } from "./log.ts";
import { chance } from "./runtime.ts";
import type { PaystackSettings, Settings } from "./settings.ts";

/**
 * Which provider serves a business for which method: cash itself; else test mode the sandbox, whose
 * books lie beside the shop's (its calls are a provider's calls, so no round trips of ours); live mode
 * Paystack, where the deployment has a key of it, else none.
 */
export function providersFor(
  business: Tenant,
  shop: D1Database,
  settings: Pick<Settings, "paystack">,
): ProviderFor {
  const provider = business.mode === "live" ? paystackOf(settings) : sandboxOf(business, shop);
  const providers = new Map<string, PaymentProvider | null>([
    ["cash", cashProvider],
    ["card", provider],
    ["mobile_money", provider],
  ]);
  return (method) => providers.get(method) ?? null;
}

/** The page of ours on which a sandbox card is approved or declined; its reference cannot be guessed. */
export const sandboxCardPath = "/payments/sandbox/:business_id/:reference";

function sandboxOf(business: Tenant, shop: D1Database): PaymentProvider {
  const pageOf: CardPage = ({ origin, reference }) =>
    `${origin}/api/v1/payments/sandbox/${business.id}/${reference}`;
  return sandboxProvider(openDb(shop, createMeter()), { now: chance.now, pageOf });
}

function paystackOf({ paystack }: Pick<Settings, "paystack">): PaymentProvider | null {
  return paystack && paystackAt(paystack);
}

/** How Paystack's API is called, and where a call that went wrong is told. */
export const paystackCalls = (settings: PaystackSettings): PaystackCalls => ({
  ...settings,
  fetch: (url, init) => fetch(url, init),
  report: (failure) =>
    log("warn", "payment provider call failed", { provider: "paystack", ...failure }),
});

const paystackAt = (settings: PaystackSettings): PaymentProvider =>
  paystackProvider({
    ...paystackCalls(settings),
    emailDomain: settings.emailDomain,
    alert: ({ what, ...facts }) => log("error", what, { provider: "paystack", ...facts }),
  });
