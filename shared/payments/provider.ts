export const authorizationTypes = ["otp", "pin", "phone", "birthday", "address", "3ds"] as const;
export type AuthorizationType = (typeof authorizationTypes)[number];

export type MobileMoney = Readonly<{ phoneNumber: string; provider: string }>;

/**
 * The addresses to which the provider's page sends the shopper. Null where the shop gave no
 * address.
 */
export type ReturnUrls = Readonly<{ success: string | null; cancel: string | null }>;

export type ChargeRequest = Readonly<{
  /**
   * The charge's id. The caller creates it before the call, so that a charge whose response was
   * lost can be looked up.
   */
  reference: string;
  orderId: string;
  amountMinor: number;
  currency: string;
  email: string | null;
  /**
   * The account to charge. Null for a card, whose details the shopper enters on the provider's
   * page.
   */
  mobileMoney: MobileMoney | null;
  returnUrls: ReturnUrls;
  /** Our public origin, such as `https://shop.example`, for the sandbox's page. */
  origin: string;
}>;

/** A charge without the shopper, for the next period of a subscription. */
export type RenewalRequest = Omit<ChargeRequest, "returnUrls" | "origin"> &
  Readonly<{
    /** The reference of the first charge, which authorized later charges of the same payer. */
    earlierReference: string;
  }>;

/** Money that the provider captured. */
export type Captured = Readonly<{ type: "captured"; amountMinor: number; currency: string }>;

/** The result of a charge. A missing response is "no_answer"; providers do not throw. */
export type ChargeResult =
  | Captured
  | Readonly<{ type: "authorization"; authorizationType: AuthorizationType; displayText: string }>
  | Readonly<{ type: "redirect"; authorizationUrl: string }>
  | Readonly<{ type: "await"; displayText: string }>
  /** The shopper pays the business directly, and the business records the payment. */
  | Readonly<{ type: "due" }>
  | Readonly<{ type: "declined"; reason: string }>
  | Readonly<{ type: "no_answer" }>;

/**
 * The state of a charge. `unknown`: the provider has never received the charge. `open`: the charge
 * has no result yet.
 */
export type VerifyResult =
  | ChargeResult
  | Readonly<{ type: "unknown" }>
  | Readonly<{ type: "open" }>;

export type Authorization = Readonly<{ reference: string; type: AuthorizationType; value: string }>;

export type RefundRequest = Readonly<{
  /**
   * The refund's id. The caller creates it before the call, and the provider stores it to recognise
   * a repeat.
   */
  refundId: string;
  /** The reference of the captured charge. */
  reference: string;
  amountMinor: number;
  currency: string;
}>;

/**
 * The result of a refund. `pending`: the provider accepted the refund but has not paid it out yet.
 */
export type RefundResult =
  | Readonly<{ type: "refunded" }>
  | Readonly<{ type: "pending" }>
  | Readonly<{ type: "declined"; reason: string }>
  | Readonly<{ type: "no_answer" }>;

/** Captured money that an operator has to check: a wrong amount, or a second charge. */
export type MoneyAlert = Readonly<{
  what: "captured another amount" | "captured a second charge";
  paymentId: string;
  reference: string;
  amountMinor: number;
  currency: string;
  /** The amount that was requested, and the payment's current reference. */
  expected: Readonly<{ reference: string; amountMinor: number; currency: string }>;
}>;

/** A payment provider. Its functions never throw. */
export type PaymentProvider = Readonly<{
  /** Payments store it to find their provider again, so each account has a name of its own. */
  name: string;
  /**
   * Who collects and refunds the money: the provider, or the business by hand. Money that the
   * business collects has no deadline.
   */
  collectedBy: "provider" | "business";
  /** A repeat with the same reference does not charge again. */
  charge(request: ChargeRequest): Promise<ChargeResult>;
  /**
   * Charges the payer of an earlier charge, without the shopper where possible. A repeat with the
   * same reference does not charge again. Undefined when the provider cannot charge a payer again.
   */
  chargeAgain?(request: RenewalRequest): Promise<ChargeResult>;
  authorize(
    authorization: Authorization,
  ): Promise<ChargeResult | Readonly<{ type: "wrong_value" }>>;
  /**
   * @param requestedBy "shopper" when the shopper says that the payment is done; undefined when the
   *   service itself checks.
   */
  verify(reference: string, requestedBy?: "shopper"): Promise<VerifyResult>;
  /**
   * A repeat with the same refund id does not refund again. The caller must not run two calls for a
   * refund at the same time.
   */
  refund(request: RefundRequest): Promise<RefundResult>;
  /** Tells the operator about money that needs a check. */
  alert(alert: MoneyAlert): void;
}>;

/**
 * The result of a charge that the provider reports only as open. A mobile-money charge still waits
 * for confirmation on the phone. For a card, the URL of the payment page was lost with the
 * response, so it cannot be paid and a new charge may follow.
 */
export const openChargeResult = ({
  mobileMoney,
}: Pick<ChargeRequest, "mobileMoney">): ChargeResult =>
  mobileMoney === null
    ? { type: "declined", reason: "The address of the payment page was lost." }
    : { type: "await", displayText: "Confirm the payment on your phone." };

export const noAnswer = { type: "no_answer" } as const;

/**
 * The provider of a business that does not sell: it declines every new charge, such as that of an
 * interrupted checkout. Earlier ones are still verified and refunded.
 */
export function withoutCharges(provider: PaymentProvider): PaymentProvider {
  const decline = async () => declined("The business is suspended or closed.");
  return { ...provider, charge: decline, chargeAgain: decline, authorize: decline };
}

export const declined = (reason: string) => ({ type: "declined", reason }) as const;

/**
 * The provider of an account that takes no new payment. What it took before is still verified,
 * refunded and renewed.
 */
export function withoutNewPayments(provider: PaymentProvider): PaymentProvider {
  const decline = async () =>
    declined("The business takes no payments with this account any more.");
  return { ...provider, charge: decline };
}

/** The provider that only verifies and refunds, as an account that the business stopped to use. */
export function withoutRenewals({ chargeAgain: _, ...provider }: PaymentProvider): PaymentProvider {
  return withoutNewPayments(provider);
}
