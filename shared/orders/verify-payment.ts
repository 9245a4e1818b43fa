import {
  findAttempt,
  isOpen,
  isOwnAccountName,
  isSettled,
  keyRefused,
  type NextAction,
  noAnswer,
  type Payment,
  type PaymentProvider,
  paymentOfAttempt,
  paymentRepo,
  replacedAttempts,
  type VerifyResult,
} from "../payments/index.ts";
import type { OrderContext } from "./context.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { type ChargeReport, recordCharge } from "./record-payment.ts";

/**
 * Asks the provider for the state of the order's payment and stores it. Changes nothing when the
 * provider does not respond.
 */
export async function verifyPayment(
  ctx: OrderContext,
  details: OrderDetails,
): Promise<OrderDetails> {
  const verified = await tryVerifyPayment(ctx, details, { requestedBy: "shopper" });
  return verified === "no_answer" ? details : verified;
}

type VerifyOptions = Readonly<{
  /** One of the payment's references. The default is the current reference and replaced ones. */
  reference?: string;
  /** The provider's own id of the reference's charge, for one whose response was lost. */
  providerReference?: string | undefined;
  requestedBy?: "shopper";
}>;

/** Does the same as `verifyPayment`, but returns "no_answer" when the provider does not respond. */
export async function tryVerifyPayment(
  ctx: OrderContext,
  details: OrderDetails,
  options: VerifyOptions = {},
): Promise<OrderDetails | "no_answer"> {
  const report = await fetchChargeReport(ctx, details, options);
  if (report === "no_answer") return report;
  return report ? recordCharge(ctx, details, report) : details;
}

/** What the provider said about one of the payment's charges. */
export type VerifiedCharge = Readonly<{ reference: string; result: VerifyResult }>;

/**
 * Asks the provider about the current charge and about replaced ones that may still be paid, and
 * stores nothing. The current one comes first; a charge that cannot receive money is left out.
 */
export async function verifyCharges(
  ctx: OrderContext,
  details: OrderDetails,
  requestedBy?: "shopper",
): Promise<readonly VerifiedCharge[]> {
  const { reference: current } = details.payment;
  const charges = await Promise.all(
    referencesToVerify(details).map((reference) =>
      // The shopper reports only the current charge as done.
      verifyCharge(
        ctx,
        details,
        reference === current ? { reference, requestedBy } : { reference },
      ),
    ),
  );
  return charges.filter((charge) => charge !== null);
}

/** The current reference first, and those of replaced charges that may still be paid. */
const referencesToVerify = (details: OrderDetails): readonly string[] => [
  details.payment.reference,
  ...(isSettled(details.payment) ? [] : replacedAttempts(details)).map(
    ({ reference }) => reference,
  ),
];

/**
 * The name of a provider that may hold money for the order although this Worker cannot ask it, for
 * lack of its key; null when every provider can be asked.
 */
export function findMissingProvider(ctx: OrderContext, details: OrderDetails): string | null {
  const missing = referencesToVerify(details).find(
    (reference) =>
      canReceiveMoney(details, reference) &&
      findProviderOf(ctx, details, reference) === null &&
      !isOverWithoutKey(details, reference),
  );
  return missing === undefined ? null : paymentOfAttempt(details, missing).provider;
}

/** The provider that a charge was sent to; null when this Worker cannot call it. */
const findProviderOf = (
  ctx: OrderContext,
  details: OrderDetails,
  reference: string,
): PaymentProvider | null => ctx.providers.byName(paymentOfAttempt(details, reference).provider);

type ChargeToVerify = Readonly<{
  reference: string;
  requestedBy?: "shopper" | undefined;
  providerReference?: string | null | undefined;
}>;

async function verifyCharge(
  ctx: OrderContext,
  details: OrderDetails,
  { reference, requestedBy, providerReference = null }: ChargeToVerify,
): Promise<VerifiedCharge | null> {
  if (!canReceiveMoney(details, reference)) return null;
  const charge = { reference, requestedBy, providerReference };
  return { reference, result: await askProvider(ctx, details, charge) };
}

/**
 * Asks a charge's provider for its state. A charge that the provider declined counts as declined
 * when no key can ask about it any more: otherwise a lost key would keep everybody from paying in
 * another way. Without a provider it may have been paid, although this Worker cannot ask.
 */
export async function askProvider(
  ctx: OrderContext,
  details: OrderDetails,
  { reference, requestedBy, providerReference = null }: ChargeToVerify,
): Promise<VerifyResult> {
  const provider = findProviderOf(ctx, details, reference);
  const facts = {
    requestedBy,
    providerReference: providerReferenceOf(details, reference) ?? providerReference,
  };
  const result = provider
    ? await provider.verify(reference, facts)
    : missingAnswer(details, reference);
  const isKeyLost = result.type === "no_answer" && result.isKeyRefused === true;
  return isKeyLost && wasDeclined(details, reference) ? declinedBefore : result;
}

const declinedBefore = { type: "declined", reason: "The provider declined it before." } as const;

/** A business's own account is missing when its keys were deleted for good. */
const missingAnswer = (details: OrderDetails, reference: string): VerifyResult =>
  isOwnAccountName(paymentOfAttempt(details, reference).provider) ? keyRefused : noAnswer;

const isOverWithoutKey = (details: OrderDetails, reference: string): boolean =>
  isOwnAccountName(paymentOfAttempt(details, reference).provider) &&
  wasDeclined(details, reference);

/** Whether the provider's last answer about a charge was that it is not made. */
const wasDeclined = (details: OrderDetails, reference: string): boolean =>
  reference === details.payment.reference
    ? details.payment.status === "failed"
    : (findAttempt(details, reference)?.declinedAt ?? null) !== null;

/**
 * Closes the charges that can still be paid, before another charge or a cancellation takes their
 * place. The result of a charge changes only when it was paid meanwhile, or its provider does not
 * answer.
 */
export const voidCharges = (
  ctx: OrderContext,
  details: OrderDetails,
  charges: readonly VerifiedCharge[],
): Promise<readonly VerifiedCharge[]> =>
  Promise.all(
    charges.map(async (charge) => {
      const { reference, result } = charge;
      const provider = isStillPayable(result) ? findProviderOf(ctx, details, reference) : null;
      if (!provider?.voidCharge) return charge;
      const providerReference = providerReferenceOf(details, reference) ?? foundReferenceOf(result);
      const after = await provider.voidCharge(reference, { providerReference });
      const isUnpaid = after.type !== "captured" && after.type !== "no_answer";
      return isUnpaid ? charge : { reference, result: after };
    }),
  );

const isStillPayable = ({ type }: VerifyResult): boolean =>
  type === "open" || type === "redirect" || type === "authorization";

/** The provider's own id in its result, for a charge whose first response was lost. */
const foundReferenceOf = (result: VerifyResult): string | null =>
  "providerReference" in result ? (result.providerReference ?? null) : null;

/** The provider's own id of a charge; null when it is not known. */
export const providerReferenceOf = (details: OrderDetails, reference: string): string | null =>
  findAttempt(details, reference)?.providerReference ?? null;

/**
 * Asks the provider for the state of a payment without storing it. Returns null when nothing
 * changed. Captured money counts under every reference.
 */
async function fetchChargeReport(
  ctx: OrderContext,
  details: OrderDetails,
  { reference, requestedBy, providerReference }: VerifyOptions = {},
): Promise<ChargeReport | null | "no_answer"> {
  const charges =
    reference === undefined
      ? await verifyCharges(ctx, details, requestedBy)
      : [await verifyCharge(ctx, details, { reference, requestedBy, providerReference })].filter(
          (one) => one !== null,
        );
  return reportOf(ctx, details, charges);
}

/** As `fetchChargeReport`, and closes the charges that are not paid, so that they never are. */
export async function voidPayment(
  ctx: OrderContext,
  details: OrderDetails,
): Promise<ChargeReport | null | "no_answer"> {
  const charges = await verifyCharges(ctx, details);
  return reportOf(ctx, details, await voidCharges(ctx, details, charges));
}

function reportOf(
  ctx: OrderContext,
  details: OrderDetails,
  charges: readonly VerifiedCharge[],
): ChargeReport | null | "no_answer" {
  const captured = charges.find(({ result }) => result.type === "captured");
  if (captured) return toChargeReport(ctx, details, captured);
  if (charges.some(({ result }) => result.type === "no_answer")) return "no_answer";
  const [current] = charges;
  return current ? toChargeReport(ctx, details, current) : null;
}

function toChargeReport(
  ctx: OrderContext,
  { payment }: OrderDetails,
  { reference, result }: VerifiedCharge,
): ChargeReport | null {
  if (result.type === "no_answer" || result.type === "unknown" || result.type === "open") {
    return null;
  }
  if (isAlreadyKnown(result, payment)) return null;
  const writes = isNextChallenge(result, payment)
    ? [paymentRepo(ctx).returnAttempt(payment.id)]
    : [];
  return { result, reference, writes };
}

/**
 * Whether money may still arrive under this reference. A cancelled payment can be captured late, and
 * a charge under an earlier reference in addition to the payment, or in place of cash.
 */
function canReceiveMoney({ payment, refunds }: OrderDetails, reference: string): boolean {
  if (isSettled(payment)) {
    const isKnown = refunds.some((refund) => refund.reference === reference);
    return reference !== payment.reference && !isKnown;
  }
  if (payment.status === "pending") return reference !== payment.reference;
  return isOpen(payment) || payment.status === "cancelled";
}

// Whether the payment already has this state. Storing the same state would only raise the version.
// A failed or cancelled payment changes only when money is captured.
const isAlreadyKnown = (result: VerifyResult, { nextAction, status }: Payment): boolean =>
  isSameAction(nextAction, result) ||
  ((status === "failed" || status === "cancelled") && result.type !== "captured");

/** Whether the shopper has to do the same as before. The text of the instruction may differ. */
function isSameAction(nextAction: NextAction, result: VerifyResult): boolean {
  if (nextAction.type === "authorization" && result.type === "authorization") {
    return nextAction.authorizationType === result.authorizationType;
  }
  if (nextAction.type === "redirect" && result.type === "redirect") {
    return nextAction.authorizationUrl === result.authorizationUrl;
  }
  return nextAction.type === result.type;
}

/**
 * Whether the provider asks for another value than before. The previous value was then right, and
 * its attempt must not count.
 */
const isNextChallenge = (result: VerifyResult, { nextAction }: Payment): boolean =>
  result.type === "authorization" && nextAction.type === "authorization";
