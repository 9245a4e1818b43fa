import { openDb } from "../../shared/database/index.ts";
import { newMeter, type Tenant } from "../../shared/kernel/index.ts";
import { type ProviderFor, sandboxProvider } from "../../shared/payments/index.ts";

/**
 * Which provider serves a business: test mode the sandbox, whose books lie beside the shop's (its
 * calls are a provider's calls, so no round trips of ours). Live mode has none configured yet.
 */
export function providersFor(business: Tenant, shop: D1Database, now: () => number): ProviderFor {
  if (business.mode === "live") return () => null;
  const sandbox = sandboxProvider(openDb(shop, newMeter()), now);
  return (method) => (method === "mobile_money" ? sandbox : null);
}
