import {
  isSettled,
  type KnownCharge,
  type KnownRefund,
  type ListedCharge,
  type ListedRefund,
} from "../payments/index.ts";

/** The kinds of difference between a provider's books and ours that a person has to look at. */
export const differenceKinds = [
  /** The provider captured a charge that we do not know. */
  "unknown_reference",
  /** The provider captured another amount or currency than we requested. */
  "amount_differs",
  /** We recorded a capture that the provider does not have. */
  "not_captured",
  /** We recorded a capture of a charge that the provider does not know at all. */
  "missing_charge",
  /** The provider captured a charge of ours that could not be recorded. */
  "not_recorded",
  /** The provider has a refund that we do not know. */
  "unknown_refund",
  /** The provider's refund has another amount, currency or outcome than ours. */
  "refund_differs",
  /** We recorded a refund that the provider does not have. */
  "missing_refund",
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** An amount in the currency's minor units. */
type Amount = Readonly<{ amountMinor: number; currency: string }>;

/** A difference as a run finds it. Contains no personal data. */
export type FoundDifference = Readonly<{
  kind: DifferenceKind;
  /** The charge's reference or the refund's id; with the kind it identifies the difference. */
  entry: string;
  /** The reference of the charge, when it is known. */
  reference: string | null;
  businessId: string | null;
  orderId: string | null;
  /** What we recorded, and what the provider reports; null where there is nothing. */
  expected: Amount | null;
  reported: Amount | null;
}>;

/** What follows for a listed charge: nothing, a report, or a capture that has to be recorded. */
type ChargeFinding =
  | Readonly<{ type: "agrees" }>
  | Readonly<{ type: "differs"; difference: FoundDifference }>
  | Readonly<{ type: "unrecorded"; known: KnownCharge; difference: FoundDifference }>;

const agrees = { type: "agrees" } as const;

export function compareCharge(listed: ListedCharge, known: KnownCharge | undefined): ChargeFinding {
  const differs = (kind: DifferenceKind): ChargeFinding => ({
    type: "differs",
    difference: chargeDifference(kind, listed, known),
  });
  const isCaptured = listed.state === "captured";
  if (!known) return isCaptured ? differs("unknown_reference") : agrees;
  const isRecorded = known.isCurrent && isSettled(known);
  if (!isCaptured) {
    const isReturned = listed.state === "returned" && known.hasRefunds;
    return isRecorded && !isReturned ? differs("not_captured") : agrees;
  }
  if (known.isMismatched || !isSameAmount(listed, known)) return differs("amount_differs");
  if (isRecorded || known.isDuplicateRefunded) return agrees;
  return { type: "unrecorded", known, difference: chargeDifference("not_recorded", listed, known) };
}

/** What follows for a listed refund: nothing, a report, or a pending refund that was paid out. */
type RefundFinding =
  | Readonly<{ type: "agrees" }>
  | Readonly<{ type: "differs"; difference: FoundDifference }>
  | Readonly<{ type: "paid_out"; refundId: string }>;

export function compareRefund(listed: ListedRefund, known: KnownRefund | undefined): RefundFinding {
  const differs = (kind: DifferenceKind): RefundFinding => ({
    type: "differs",
    difference: refundDifference(kind, listed, known),
  });
  const hasFailed = listed.state === "failed";
  if (!known) return hasFailed ? agrees : differs("unknown_refund");
  if (!hasFailed && !isSameAmount(listed, known)) return differs("refund_differs");
  if (known.status === "pending")
    return listed.state === "refunded" ? { type: "paid_out", refundId: known.id } : agrees;
  return hasFailed === (known.status === "failed") ? agrees : differs("refund_differs");
}

const isSameAmount = (
  { amountMinor, currency }: Readonly<{ amountMinor: number | null; currency: string }>,
  known: Amount,
): boolean => amountMinor === known.amountMinor && currency === known.currency;

const chargeDifference = (
  kind: DifferenceKind,
  listed: ListedCharge,
  known: KnownCharge | undefined,
): FoundDifference => ({
  kind,
  entry: listed.reference,
  reference: listed.reference,
  ...ownerAndAmountOf(known),
  reported: listed.state === "captured" ? toAmount(listed) : null,
});

/** A capture of ours that the provider does not know. */
export const missingCharge = (known: KnownCharge): FoundDifference => ({
  kind: "missing_charge",
  entry: known.reference,
  reference: known.reference,
  ...ownerAndAmountOf(known),
  reported: null,
});

const refundDifference = (
  kind: DifferenceKind,
  listed: ListedRefund,
  known: KnownRefund | undefined,
): FoundDifference => ({
  kind,
  entry: listed.id,
  reference: listed.reference,
  ...ownerAndAmountOf(known),
  reported: listed.state === "failed" ? null : toAmount(listed),
});

const toAmount = ({
  amountMinor,
  currency,
}: Readonly<{ amountMinor: number | null; currency: string }>): Amount | null =>
  amountMinor === null ? null : { amountMinor, currency };

type Owned = Amount & Readonly<{ businessId: string; orderId: string }>;

/** The order of what we know, and its amount. */
export const ownerAndAmountOf = (known: Owned | undefined) => ({
  businessId: known?.businessId ?? null,
  orderId: known?.orderId ?? null,
  expected: known ? { amountMinor: known.amountMinor, currency: known.currency } : null,
});
