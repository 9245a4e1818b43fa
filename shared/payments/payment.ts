export const paymentStatuses = [
  "pending",
  "requires_action",
  "processing",
  "captured",
  "failed",
  "cancelled",
  "refunded",
  "partially_refunded",
] as const;
/** pending is cash not yet handed over, or a charge that got no answer (completions.md 6). */
export type PaymentStatus = (typeof paymentStatuses)[number];

export const authorizationTypes = ["otp", "pin", "phone", "birthday", "address", "3ds"] as const;
export type AuthorizationType = (typeof authorizationTypes)[number];

/** What the shopper has to do before the payment can settle (completions.md 6). */
export type NextAction =
  | Readonly<{ type: "none" }>
  | Readonly<{ type: "authorization"; authorizationType: AuthorizationType; displayText: string }>
  | Readonly<{ type: "redirect"; authorizationUrl: string }>
  | Readonly<{ type: "await"; displayText: string }>;

export type Payment = Readonly<{
  id: string;
  orderId: string;
  /** Ours, and the provider's for this charge: what a lost answer is looked up by. */
  reference: string;
  provider: string;
  method: string;
  status: PaymentStatus;
  amountMinor: number;
  currency: string;
  nextAction: NextAction;
  /** Wrong authorization values so far; the third fails the payment. */
  failedAttempts: number;
  settledAt: number | null;
  createdAt: number;
  version: number;
}>;
