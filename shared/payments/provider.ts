export const authorizationTypes = ["otp", "pin", "phone", "birthday", "address", "3ds"] as const;
export type AuthorizationType = (typeof authorizationTypes)[number];

export type MobileMoney = Readonly<{ phoneNumber: string; provider: string }>;

/** Where a shopper goes on to from a provider's page; null where the shop named no http(s) address. */
export type ReturnUrls = Readonly<{ success: string | null; cancel: string | null }>;

export type ChargeRequest = Readonly<{
  /** Ours, chosen before the call: what a lost answer is looked up by. */
  reference: string;
  orderId: string;
  amountMinor: number;
  currency: string;
  email: string | null;
  /** Null for a card, whose details a page of the provider asks for. */
  mobileMoney: MobileMoney | null;
  returnUrls: ReturnUrls;
  /** Our public origin, such as `https://shop.example`: the sandbox's page lies under it. */
  origin: string;
}>;

/** A charge of somebody who has paid before: the next period of a subscription. */
export type RenewalRequest = Omit<ChargeRequest, "returnUrls" | "origin"> &
  Readonly<{
    /** The settled charge that gave leave for it. */
    earlierReference: string;
  }>;

/** Money that the provider took. */
export type Captured = Readonly<{ type: "captured"; amountMinor: number; currency: string }>;

/** How a charge stands at the provider. "No answer" is an answer here, never an exception. */
export type ChargeResult =
  | Captured
  | Readonly<{ type: "authorization"; authorizationType: AuthorizationType; displayText: string }>
  | Readonly<{ type: "redirect"; authorizationUrl: string }>
  | Readonly<{ type: "await"; displayText: string }>
  /** To be handed over to the business, which says when it was. */
  | Readonly<{ type: "due" }>
  | Readonly<{ type: "declined"; reason: string }>
  | Readonly<{ type: "no_answer" }>;

/**
 * How the charge of a reference stands. unknown: the provider never saw it; open: it did, and has
 * nothing new to tell: neither paid nor refused, and what the shopper was asked for still holds.
 */
export type VerifyResult =
  | ChargeResult
  | Readonly<{ type: "unknown" }>
  | Readonly<{ type: "open" }>;

export type Authorization = Readonly<{ reference: string; type: AuthorizationType; value: string }>;

export type RefundRequest = Readonly<{
  /** Ours, chosen before the call; the provider keeps it, so that a repeat is recognised. */
  refundId: string;
  /** The captured charge's. */
  reference: string;
  amountMinor: number;
  currency: string;
}>;

/** How a refund stands at the provider; pending: accepted, the money is under way. */
export type RefundResult =
  | Readonly<{ type: "refunded" }>
  | Readonly<{ type: "pending" }>
  | Readonly<{ type: "declined"; reason: string }>
  | Readonly<{ type: "no_answer" }>;

/**
 * Money that the provider took and that was not to be: of another amount than was asked for, or
 * beside the charge that settled the payment.
 */
export type MoneyAlert = Readonly<{
  what: "captured another amount" | "captured a second charge";
  paymentId: string;
  reference: string;
  amountMinor: number;
  currency: string;
  /** What was asked for, and the reference that counts. */
  expected: Readonly<{ reference: string; amountMinor: number; currency: string }>;
}>;

/** One provider of payments, behind one file (architecture.md, The house). None of these throws. */
export type PaymentProvider = Readonly<{
  name: string;
  /**
   * Who takes the money, and gives it back: the provider, which is asked and waited for; or the business
   * from hand to hand, in its own time, which takes no answer and no deadline.
   */
  takenBy: "provider" | "business";
  /** Charging a reference twice charges once. */
  charge(request: ChargeRequest): Promise<ChargeResult>;
  /**
   * Charges whoever paid an earlier charge once more, without them where the provider can. As with
   * `charge`, a reference is charged once. Left out by a provider that can do no such thing.
   */
  chargeAgain?(request: RenewalRequest): Promise<ChargeResult>;
  authorize(
    authorization: Authorization,
  ): Promise<ChargeResult | Readonly<{ type: "wrong_value" }>>;
  /** @param by the shopper, who says to have done what was asked for; else this service asks by itself. */
  verify(reference: string, by?: "shopper"): Promise<VerifyResult>;
  /** Refunding under one id again refunds once; the caller sees to it that no two run beside each other. */
  refund(request: RefundRequest): Promise<RefundResult>;
  /** Tells whoever runs this service of money that a human has to look at. */
  alert(alert: MoneyAlert): void;
}>;

/** The provider for a payment method; null where a business has none for it. */
export type ProviderFor = (method: string) => PaymentProvider | null;

/**
 * The answer to a charge of which the provider only says that it is open: a phone is still asked; a
 * page's address went with the lost answer, and so nobody can pay there: a new charge may follow.
 */
export const openCharge = ({ mobileMoney }: Pick<ChargeRequest, "mobileMoney">): ChargeResult =>
  mobileMoney === null
    ? { type: "declined", reason: "The address of the provider's page was lost." }
    : { type: "await", displayText: "Confirm the payment on your phone." };
