import type { Business, PaymentMethod } from "../businesses/index.ts";
import { ruleViolation, unavailable } from "../kernel/index.ts";
import type { PaymentProvider } from "./provider.ts";

/**
 * The payment providers of a business. A new payment follows the business's routing. An existing one
 * stays with the provider that it names, because only that one knows its charges.
 */
export type ProviderLookup = Readonly<{
  /** The provider of a new payment; null when the business takes none by this method and currency. */
  forMethod: (method: string, currency: string) => PaymentProvider | null;
  /** The provider that a payment names; null when this Worker cannot call it. */
  byName: (name: string) => PaymentProvider | null;
}>;

/**
 * The payment methods that a checkout takes in a currency: those that the business has switched on
 * and that have a provider.
 */
export const payableMethods = (
  { settings }: Pick<Business, "settings">,
  providers: ProviderLookup,
  currency: string,
): readonly PaymentMethod[] =>
  settings.paymentMethods.filter((method) => providers.forMethod(method, currency) !== null);

type PayableContext = Readonly<{
  business: Pick<Business, "settings">;
  providers: ProviderLookup;
}>;

/** Whether a method is among `payableMethods`. */
export const isMethodPayable = (
  { business, providers }: PayableContext,
  method: string,
  currency: string,
): boolean => payableMethods(business, providers, currency).some((one) => one === method);

/** @throws Refusal PAYMENT_METHOD_UNAVAILABLE for a method that is not among `payableMethods`. */
export function assertMethodPayable(ctx: PayableContext, method: string, currency: string): void {
  if (isMethodPayable(ctx, method, currency)) return;
  throw ruleViolation(
    "PAYMENT_METHOD_UNAVAILABLE",
    `This business does not take ${method} in ${currency}. Choose one of its payment_methods.`,
  );
}

/** @throws Refusal SERVICE_UNAVAILABLE for a provider that this Worker cannot call. */
export function requireProvider(provider: PaymentProvider | null, method: string): PaymentProvider {
  if (provider) return provider;
  throw unavailable(`Payments by ${method} are not available now. Try again later.`);
}
