import type { ProviderName } from "../businesses/index.ts";

/**
 * Payments store the name of the account that took them: `paystack` is the deployment's account and
 * `own_paystack` the business's own one, so that neither is asked about the other's charges.
 */
const ownPrefix = "own_";

/** The name under which payments store the business's own account at a provider. */
export const ownAccountName = (provider: ProviderName): string => `${ownPrefix}${provider}`;

export const isOwnAccountName = (name: string): boolean => name.startsWith(ownPrefix);

/** The provider's name as responses show it. */
export const publicProviderName = (name: string): string =>
  isOwnAccountName(name) ? name.slice(ownPrefix.length) : name;
