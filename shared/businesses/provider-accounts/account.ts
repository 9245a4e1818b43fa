import type { Mode } from "../../kernel/index.ts";
import type { SealedCredentials } from "./credentials.ts";
import { type PaymentMethod, type ProviderName, routedMethods } from "./payment-methods.ts";

/**
 * active: takes payments. invalid: the provider refused its keys. disabled: the business disconnected
 * it; payments that it took are still verified, refunded and renewed with it.
 */
export const accountStatuses = ["active", "invalid", "disabled"] as const;
type AccountStatus = (typeof accountStatuses)[number];

/** A business's own account at a payment provider, as the cached business contains it. */
export type ProviderAccount = Readonly<{
  provider: ProviderName;
  mode: Mode;
  status: AccountStatus;
  /** What the provider said that the account takes when it was connected. */
  methods: readonly PaymentMethod[];
  currencies: readonly string[];
  /** The last four characters of the secret key. */
  keyHint: string;
  connectedAt: number;
  updatedAt: number;
  /** Why the provider refused the keys; null while the account was not refused. */
  lastError: string | null;
  sealed: SealedCredentials;
}>;

/** Mobile money exists in few countries, even for an account with more currencies. */
export const mobileMoneyCurrencies: readonly string[] = ["GHS", "KES"];

/** Whether the account takes a new payment by this method in this currency. */
export const takesPayment = (
  { status, methods, currencies }: Pick<ProviderAccount, "status" | "methods" | "currencies">,
  method: string,
  currency: string,
): boolean =>
  status === "active" &&
  methods.some((one) => one === method) &&
  currencies.includes(currency) &&
  (method !== "mobile_money" || mobileMoneyCurrencies.includes(currency));

type Routing = Readonly<Record<(typeof routedMethods)[number], readonly ProviderName[]>>;

/** The providers of a method in the business's order of preference; none for cash. */
export const routeOf = (
  { settings }: Readonly<{ settings: Readonly<{ paymentRouting: Routing }> }>,
  method: string,
): readonly ProviderName[] => {
  const routed = routedMethods.find((one) => one === method);
  return routed ? settings.paymentRouting[routed] : [];
};
