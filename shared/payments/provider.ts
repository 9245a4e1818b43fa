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
  /** The order's number as the shopper knows it. */
  orderNumber: string;
  amountMinor: number;
  currency: string;
  email: string | null;
  /** When a page of the provider closes at the latest. The same each time the charge is sent. */
  expiresAt: number;
  /** Whether the payer is charged again later, because the order starts or renews a subscription. */
  savesPayer: boolean;
  /** A payment method that a wallet handed over, charged without a page; null for all others. */
  paymentToken: string | null;
  /**
   * The account to charge. Null for a card, whose details the shopper enters on the provider's
   * page.
   */
  mobileMoney: MobileMoney | null;
  returnUrls: ReturnUrls;
  /** Our public origin, such as `https://shop.example`, for the sandbox's page. */
  origin: string;
}>;

/** What a page of the provider needs to lead the shopper back. */
export type ReturnPage = Pick<ChargeRequest, "returnUrls" | "origin">;

/** A charge without the shopper, for the next period of a subscription. */
export type RenewalRequest = Omit<ChargeRequest, keyof ReturnPage | "paymentToken"> &
  Readonly<{
    /** The reference of the first charge, which authorized later charges of the same payer. */
    earlierReference: string;
    /** As in `ChargeFacts`, of that charge. */
    earlierProviderReference: string | null;
    /** For a page on which the customer confirms the charge; null when none can be opened. */
    page: ReturnPage | null;
  }>;

/** Money that the provider captured. */
export type Captured = Readonly<{ type: "captured"; amountMinor: number; currency: string }>;

/**
 * Why a charge cannot be made. `credentials`: the provider does not accept our key. `account`: the
 * business takes no new payments with the account.
 */
export type UnavailableReason = "currency" | "method" | "credentials" | "account";

/**
 * The provider does not make such a charge for this business, so that nothing is charged and a
 * repeat has the same result.
 */
export type UnavailableCharge = Readonly<{ type: "unavailable"; reason: UnavailableReason }>;

/** The result of a charge. A missing response is "no_answer"; providers do not throw. */
export type ChargeResult = ChargeState | UnavailableCharge;

/** `isKeyRefused`: the provider accepts no key for the account, so that asking again does not help. */
type NoAnswer = Readonly<{ type: "no_answer"; isKeyRefused?: true }>;

/** What becomes of a charge that the provider accepted. */
export type ChargeState = (
  | Captured
  | Readonly<{ type: "authorization"; authorizationType: AuthorizationType; displayText: string }>
  | Readonly<{ type: "redirect"; authorizationUrl: string }>
  | Readonly<{ type: "await"; displayText: string }>
  /** The shopper pays the business directly, and the business records the payment. */
  | Readonly<{ type: "due" }>
  | Readonly<{ type: "declined"; reason: string }>
  | NoAnswer
) &
  Readonly<{
    /** The provider's own id of the charge, when it needs that to find the charge again. */
    providerReference?: string;
  }>;

/**
 * The state of a charge. `unknown`: the provider has never received the charge. `open`: the charge
 * has no result yet.
 */
export type VerifyResult = ChargeState | Readonly<{ type: "unknown" }> | Readonly<{ type: "open" }>;

export type Authorization = Readonly<{ reference: string; type: AuthorizationType; value: string }>;

/** What is known of a charge beyond its reference. */
export type ChargeFacts = Readonly<{
  /** "shopper" when the shopper says that the payment is done; undefined when the service checks. */
  requestedBy?: "shopper" | undefined;
  /** The provider's own id of the charge; null when its response was lost, or for other providers. */
  providerReference?: string | null;
}>;

export type RefundRequest = Readonly<{
  /**
   * The refund's id. The caller creates it before the call, and the provider stores it to recognise
   * a repeat.
   */
  refundId: string;
  /** The reference of the captured charge. */
  reference: string;
  /** As in `ChargeFacts`. */
  providerReference: string | null;
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
  authorize(authorization: Authorization): Promise<ChargeState | Readonly<{ type: "wrong_value" }>>;
  verify(reference: string, facts?: ChargeFacts): Promise<VerifyResult>;
  /**
   * Closes the page of a charge, or cancels it otherwise, so that it can no longer be paid. Returns
   * what `verify` then returns. Undefined when the provider cannot do that.
   */
  voidCharge?(reference: string, facts?: ChargeFacts): Promise<VerifyResult>;
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
}: Pick<ChargeRequest, "mobileMoney">): ChargeState =>
  mobileMoney === null
    ? { type: "declined", reason: "The address of the payment page was lost." }
    : { type: "await", displayText: "Confirm the payment on your phone." };

export const noAnswer = { type: "no_answer" } as const;
export const keyRefused = { type: "no_answer", isKeyRefused: true } as const;

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
export const withoutNewPayments = (
  provider: PaymentProvider,
  reason: UnavailableReason = "account",
): PaymentProvider => ({ ...provider, charge: async () => unavailableCharge(reason) });

/** The provider of an account whose keys were deleted. It can neither charge nor be asked. */
export const purgedProvider = (name: string): PaymentProvider => ({
  name,
  collectedBy: "provider",
  charge: async () => unavailableCharge("account"),
  authorize: async () => keyRefused,
  verify: async () => keyRefused,
  refund: async () => declined("The keys of the account were deleted. Refund it at the provider."),
  alert: () => {},
});

/** The provider that only verifies and refunds, as an account that the business stopped to use. */
export function withoutRenewals({ chargeAgain: _, ...provider }: PaymentProvider): PaymentProvider {
  return withoutNewPayments(provider);
}

export const unavailableCharge = (reason: UnavailableReason): UnavailableCharge => ({
  type: "unavailable",
  reason,
});
