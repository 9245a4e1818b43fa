export const authorizationTypes = ["otp", "pin", "phone", "birthday", "address", "3ds"] as const;
export type AuthorizationType = (typeof authorizationTypes)[number];

export type MobileMoney = Readonly<{ phoneNumber: string; provider: string }>;

export type ChargeRequest = Readonly<{
  /** Ours, chosen before the call: what a lost answer is looked up by. */
  reference: string;
  orderId: string;
  amountMinor: number;
  currency: string;
  email: string | null;
  mobileMoney: MobileMoney | null;
}>;

/** How a charge stands at the provider. "No answer" is an answer here, never an exception. */
export type ChargeResult =
  | Readonly<{ type: "captured"; amountMinor: number; currency: string }>
  | Readonly<{ type: "authorization"; authorizationType: AuthorizationType; displayText: string }>
  | Readonly<{ type: "redirect"; authorizationUrl: string }>
  | Readonly<{ type: "await"; displayText: string }>
  | Readonly<{ type: "declined"; reason: string }>
  | Readonly<{ type: "no_answer" }>;

export type Authorization = Readonly<{ reference: string; type: AuthorizationType; value: string }>;

/** One provider of payments, behind one file (architecture.md, The house). None of these throws. */
export type PaymentProvider = Readonly<{
  name: string;
  /** Charging a reference twice charges once. */
  charge(request: ChargeRequest): Promise<ChargeResult>;
  authorize(
    authorization: Authorization,
  ): Promise<ChargeResult | Readonly<{ type: "wrong_value" }>>;
  /** How the charge of this reference stands; unknown when the provider never saw it. */
  verify(reference: string): Promise<ChargeResult | Readonly<{ type: "unknown" }>>;
}>;

/** The provider for a payment method; null where a business has none for it. Cash has none by nature. */
export type ProviderFor = (method: string) => PaymentProvider | null;
