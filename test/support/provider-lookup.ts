import {
  cashProvider,
  type PaymentProvider,
  type ProviderLookup,
} from "../../shared/payments/index.ts";

/** The lookup of a business that takes cash, and every other method through one provider. */
export const lookupOf = (online: PaymentProvider): ProviderLookup => ({
  forMethod: (method) => (method === "cash" ? cashProvider : online),
  byName: (name) => [cashProvider, online].find((provider) => provider.name === name) ?? null,
});
