export const authorizationTypes = ["otp", "pin", "phone", "birthday", "address", "3ds"] as const;
export type AuthorizationType = (typeof authorizationTypes)[number];

export type MobileMoney = Readonly<{ phoneNumber: string; provider: string }>;

/** Where a provider's page sends the shopper; null where the shop gave no http(s) address. */
export type ReturnUrls = Readonly<{ success: string | null; cancel: string | null }>;

export type ChargeRequest = Readonly<{
  /** Chosen before the call, so that a charge without a response can be looked up. */
  reference: string;
  orderId: string;
  amountMinor: number;
  currency: string;
  email: string | null;
  /** Null for a card: the provider's page asks for its details. */
  mobileMoney: MobileMoney | null;
  returnUrls: ReturnUrls;
  /** Our public origin, such as `https://shop.example`, for the sandbox's page. */
  origin: string;
}>;

/** A charge of a payer who has paid before: the next period of a subscription. */
export type RenewalRequest = Omit<ChargeRequest, "returnUrls" | "origin"> &
  Readonly<{
    /** The reference of the settled charge that authorized later ones. */
    earlierReference: string;
  }>;

/** Money that the provider captured. */
export type Captured = Readonly<{ type: "captured"; amountMinor: number; currency: string }>;

/** The state of a charge. A missing response is the result "no_answer", never an exception. */
export type ChargeResult =
  | Captured
  | Readonly<{ type: "authorization"; authorizationType: AuthorizationType; displayText: string }>
  | Readonly<{ type: "redirect"; authorizationUrl: string }>
  | Readonly<{ type: "await"; displayText: string }>
  /** To be paid to the business, which confirms it. */
  | Readonly<{ type: "due" }>
  | Readonly<{ type: "declined"; reason: string }>
  | Readonly<{ type: "no_answer" }>;

/**
 * The state of a reference's charge. unknown: the provider has never seen it; open: it has, without
 * a new result.
 */
export type VerifyResult =
  | ChargeResult
  | Readonly<{ type: "unknown" }>
  | Readonly<{ type: "open" }>;

export type Authorization = Readonly<{ reference: string; type: AuthorizationType; value: string }>;

export type RefundRequest = Readonly<{
  /** Chosen before the call; the provider stores it to recognise a repeat. */
  refundId: string;
  /** The reference of the captured charge. */
  reference: string;
  amountMinor: number;
  currency: string;
}>;

/** The state of a refund; pending: accepted, but the money has not arrived yet. */
export type RefundResult =
  | Readonly<{ type: "refunded" }>
  | Readonly<{ type: "pending" }>
  | Readonly<{ type: "declined"; reason: string }>
  | Readonly<{ type: "no_answer" }>;

/** Captured money that an operator has to look at: a wrong amount, or a second charge. */
export type MoneyAlert = Readonly<{
  what: "captured another amount" | "captured a second charge";
  paymentId: string;
  reference: string;
  amountMinor: number;
  currency: string;
  /** The requested amount and the current reference. */
  expected: Readonly<{ reference: string; amountMinor: number; currency: string }>;
}>;

/** A payment provider. None of these functions throws. */
export type PaymentProvider = Readonly<{
  name: string;
  /**
   * Who collects and refunds the money: the provider, or the business by hand without a deadline.
   */
  collectedBy: "provider" | "business";
  /** Idempotent per reference. */
  charge(request: ChargeRequest): Promise<ChargeResult>;
  /**
   * Charges the payer of an earlier charge again, without the shopper where possible. Idempotent
   * per reference; absent when the provider does not support it.
   */
  chargeAgain?(request: RenewalRequest): Promise<ChargeResult>;
  authorize(
    authorization: Authorization,
  ): Promise<ChargeResult | Readonly<{ type: "wrong_value" }>>;
  /**
   * @param requestedBy "shopper" when the shopper reports that the payment is done; absent for the service's
   * own checks.
   */
  verify(reference: string, requestedBy?: "shopper"): Promise<VerifyResult>;
  /** Idempotent per refund id, but the caller must not run two at the same time. */
  refund(request: RefundRequest): Promise<RefundResult>;
  /** Alerts the operator. */
  alert(alert: MoneyAlert): void;
}>;

/** The provider of a payment method; null when the business has none. */
export type ProviderLookup = (method: string) => PaymentProvider | null;

/**
 * The result of a charge that the provider reports only as open. A mobile-money charge still waits
 * for confirmation on the phone. For a card, the URL of the payment page was lost with the
 * response, so it cannot be paid and a new charge may follow.
 */
export const openChargeResult = ({
  mobileMoney,
}: Pick<ChargeRequest, "mobileMoney">): ChargeResult =>
  mobileMoney === null
    ? { type: "declined", reason: "The address of the provider's page was lost." }
    : { type: "await", displayText: "Confirm the payment on your phone." };

export const noResponse = { type: "no_answer" } as const;

export const declined = (reason: string) => ({ type: "declined", reason }) as const;
