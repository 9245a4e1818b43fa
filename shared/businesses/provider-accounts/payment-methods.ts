export const paymentMethods = ["cash", "mobile_money", "card"] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** The methods that a payment provider collects. */
export const routedMethods = ["card", "mobile_money"] as const;

/** The providers at which a business can connect an account of its own. */
export const providerNames = ["stripe", "paystack"] as const;
export type ProviderName = (typeof providerNames)[number];

/**
 * Whose accounts take the business's payments: its own, or also the deployment's
 * (docs/contract/operator.md#business-payments).
 */
export const paymentOwners = ["own", "platform"] as const;
export type PaymentOwner = (typeof paymentOwners)[number];
