import { type Business, openCredentials } from "../../shared/businesses/index.ts";
import { shardsOf, shopOf } from "../../shared/database/index.ts";
import type { ProviderLookup } from "../../shared/payments/index.ts";
import { createProviderLookup } from "../runtime/providers/payment-providers.ts";
import type { Settings } from "../runtime/settings.ts";
import type { AgentContext } from "./agent-call.ts";

/** How a platform pays: what an agent sends with it is in docs/agents.md#payment-handlers. */
export type PaymentHandler = Readonly<{
  name: HandlerName;
  /** The `handler_id` of a payment. */
  id: "sandbox" | "stripe" | "mobile_money" | "cash_on_delivery";
  instrumentType: "card" | "mobile_money" | "cash";
  config: Readonly<Record<string, string>>;
}>;

export type HandlerName =
  | "dev.duka.sandbox"
  | "dev.duka.stripe"
  | "dev.duka.mobile_money"
  | "dev.duka.cash_on_delivery";

/** The version of the handlers, which are the same in all releases. */
const handlerVersion = "2026-08-25";

type Payable = Pick<Business, "id" | "mode" | "currency" | "settings" | "providerAccounts">;

/** The handlers of the methods that the business's settings and accounts offer. */
async function paymentHandlersOf(
  business: Payable,
  {
    lookup,
    keyring,
  }: Readonly<{ lookup: ProviderLookup; keyring: Settings["credentialsKeyring"] }>,
): Promise<readonly PaymentHandler[]> {
  const { currency, mode } = business;
  const offers = (method: "card" | "mobile_money" | "cash"): boolean =>
    business.settings.paymentMethods.includes(method) &&
    lookup.forMethod(method, currency) !== null;
  const handlers: PaymentHandler[] = [];
  if (offers("card")) {
    if (mode === "test")
      handlers.push({
        name: "dev.duka.sandbox",
        id: "sandbox",
        instrumentType: "card",
        config: { environment: "test" },
      });
    const publishableKey =
      lookup.forMethod("card", currency)?.name === "stripe"
        ? await stripeKeyOf(business, keyring)
        : null;
    if (publishableKey !== null)
      handlers.push({
        name: "dev.duka.stripe",
        id: "stripe",
        instrumentType: "card",
        config: { publishable_key: publishableKey },
      });
  }
  if (offers("mobile_money"))
    handlers.push({
      name: "dev.duka.mobile_money",
      id: "mobile_money",
      instrumentType: "mobile_money",
      config: {},
    });
  if (offers("cash"))
    handlers.push({
      name: "dev.duka.cash_on_delivery",
      id: "cash_on_delivery",
      instrumentType: "cash",
      config: {},
    });
  return handlers;
}

/** The key with which a platform makes a token of a card; null when the business gave none. */
async function stripeKeyOf(
  { id, providerAccounts }: Pick<Business, "id" | "providerAccounts">,
  keyring: Settings["credentialsKeyring"],
): Promise<string | null> {
  const account = providerAccounts.find(({ provider }) => provider === "stripe");
  if (!account) return null;
  const owner = { businessId: id, provider: account.provider };
  return (await openCredentials(account.sealed, owner, keyring)).publishableKey;
}

/** The handlers of the call's business. */
export const loadPaymentHandlers = (
  c: AgentContext,
  business: Business,
): Promise<readonly PaymentHandler[]> => {
  const settings = c.get("settings");
  const shop = shopOf(shardsOf(c.env, settings.shopShards), business);
  const lookup = createProviderLookup(business, { core: c.env.CORE, shop, settings });
  return paymentHandlersOf(business, { lookup, keyring: settings.credentialsKeyring });
};

/** `payment_handlers` of profiles and of checkouts. */
export const toPaymentHandlersView = (handlers: readonly PaymentHandler[]) =>
  Object.fromEntries(
    handlers.map(({ name, id, instrumentType, config }) => [
      name,
      [
        {
          id,
          version: handlerVersion,
          available_instruments: [{ type: instrumentType }],
          ...(Object.keys(config).length > 0 && { config }),
        },
      ],
    ]),
  );
