import type { Db } from "../database/index.ts";
import {
  type ChargeRequest,
  type ChargeState,
  declined,
  type PaymentProvider,
  type RefundRequest,
} from "./provider.ts";
import { type SandboxCharge, type SandboxStatus, sandboxRepo } from "./sandbox-repo.ts";

const sandboxOtp = "123456";

/** Returns the URL of the test-mode page where a card charge is approved or declined. */
export type CardPageUrl = (charge: Pick<ChargeRequest, "origin" | "reference">) => string;

/**
 * The payment provider of test mode, which moves no money. The last digit of the phone number
 * decides the result of a charge.
 */
export function sandboxProvider(
  db: Db,
  { now, cardPageUrl }: Readonly<{ now: () => number; cardPageUrl: CardPageUrl }>,
): PaymentProvider {
  const ledger = sandboxRepo(db);

  async function captureCharge(charge: SandboxCharge): Promise<ChargeState> {
    await ledger.changeStatus(charge.reference, { from: charge.status, to: "captured" });
    return toChargeResult((await ledger.find(charge.reference)) ?? charge);
  }

  /**
   * Starts a charge. When one with the same reference exists, returns its state, or captures it if it
   * gave no answer.
   */
  async function chargeOnce(
    request: SandboxRequest,
    initial: Pick<SandboxCharge, "status" | "pageUrl">,
  ): Promise<ChargeState> {
    const charge = { ...newCharge(request, now()), ...initial };
    if (await ledger.insert(charge)) return toChargeResult(charge);
    const earlier = await ledger.find(request.reference);
    if (!earlier) return { type: "no_answer" }; // it was deleted meanwhile
    return earlier.status === "no_answer" ? captureCharge(earlier) : toChargeResult(earlier);
  }

  /** A phone number without an answer gives none to an order's first charge, and pays the others. */
  async function findInitialStatus(request: StatusRequest): Promise<SandboxStatus> {
    const status = statusForPayer(request);
    if (status !== "no_answer") return status;
    return (await ledger.countByOrder(request.orderId)) === 0 ? "no_answer" : "captured";
  }

  async function cardRenewalStatus(earlierReference: string): Promise<SandboxStatus> {
    const earlier = await ledger.find(earlierReference);
    return earlier && isPaid(earlier) ? "captured" : "declined";
  }

  return {
    name: "sandbox",
    collectedBy: "provider",

    charge: async (request) =>
      chargeOnce(request, {
        status: await findInitialStatus(request),
        pageUrl: isPaidOnPage(request) ? cardPageUrl(request) : null,
      }),

    /**
     * A phone number has the same result as in its first charge. A card is captured again if it was
     * captured before.
     */
    chargeAgain: async (request) =>
      chargeOnce(
        { ...request, returnUrls: { success: null, cancel: null } },
        {
          status:
            request.mobileMoney === null
              ? await cardRenewalStatus(request.earlierReference)
              : await findInitialStatus({ ...request, paymentToken: null }),
          pageUrl: null,
        },
      ),

    async authorize({ reference, type, value }) {
      const charge = await ledger.find(reference);
      if (!charge) return { type: "no_answer" };
      if (charge.status !== "requires_otp") return toChargeResult(charge);
      if (type !== "otp" || value !== sandboxOtp) return { type: "wrong_value" };
      return captureCharge(charge);
    },

    async verify(reference, { requestedBy } = {}) {
      const charge = await ledger.find(reference);
      if (!charge || charge.status === "no_answer") return { type: "unknown" };
      const isConfirmed = charge.status === "on_phone" && requestedBy === "shopper";
      return isConfirmed ? captureCharge(charge) : toChargeResult(charge);
    },

    async refund(request) {
      const charge = await ledger.find(request.reference);
      if (!charge || !isPaid(charge)) return declined("There is no such payment.");
      if (charge.currency !== request.currency)
        return declined("The payment has another currency.");
      const { refundId, reference, amountMinor } = request;
      if (await ledger.insertRefund({ refundId, reference, amountMinor, createdAt: now() })) {
        return { type: "refunded" };
      }
      const earlier = await ledger.findRefund(refundId);
      if (earlier === null) return declined("The amount exceeds what is left of the payment.");
      return isSameRefund(earlier, request)
        ? { type: "refunded" }
        : declined("The refund id was used for another refund.");
    },

    alert() {}, // No money is captured, so there is nothing to alert.
  };
}

const isPaid = ({ status }: SandboxCharge): boolean =>
  status === "captured" || status === "refunded";

const isSameRefund = (
  earlier: Pick<RefundRequest, "reference" | "amountMinor">,
  request: Pick<RefundRequest, "reference" | "amountMinor">,
): boolean =>
  earlier.reference === request.reference && earlier.amountMinor === request.amountMinor;

/** The token with which an agent pays in test mode; every other one is declined. */
const acceptedToken = "success_token";

const isPaidOnPage = ({
  mobileMoney,
  paymentToken,
}: Pick<ChargeRequest, "mobileMoney" | "paymentToken">): boolean =>
  mobileMoney === null && paymentToken === null;

type StatusRequest = Pick<ChargeRequest, "mobileMoney" | "paymentToken" | "orderId">;

function statusForPayer({
  mobileMoney,
  paymentToken,
}: Omit<StatusRequest, "orderId">): SandboxStatus {
  if (mobileMoney === null) {
    if (paymentToken === null) return "redirected";
    return paymentToken === acceptedToken ? "captured" : "declined";
  }
  switch (mobileMoney.phoneNumber.at(-1)) {
    case "1":
      return "requires_otp";
    case "2":
      return "on_phone";
    case "3":
      return "declined";
    case "4":
      return "no_answer";
    default:
      return "captured";
  }
}

/** The fields of a charge that the sandbox stores. */
type SandboxRequest = Pick<
  ChargeRequest,
  "reference" | "orderId" | "amountMinor" | "currency" | "mobileMoney" | "returnUrls"
>;

const newCharge = (
  request: SandboxRequest,
  createdAt: number,
): Omit<SandboxCharge, "status" | "pageUrl"> => ({
  reference: request.reference,
  orderId: request.orderId,
  amountMinor: request.amountMinor,
  currency: request.currency,
  phoneNumber: request.mobileMoney?.phoneNumber ?? null,
  successUrl: request.returnUrls.success,
  cancelUrl: request.returnUrls.cancel,
  refundedMinor: 0,
  createdAt,
});

function toChargeResult({ status, amountMinor, currency, pageUrl }: SandboxCharge): ChargeState {
  switch (status) {
    case "captured":
    case "refunded":
      return { type: "captured", amountMinor, currency };
    case "requires_otp":
      return {
        type: "authorization",
        authorizationType: "otp",
        displayText: "Enter the one-time code that was sent to your phone.",
      };
    case "redirected":
      return { type: "redirect", authorizationUrl: pageUrl ?? "" };
    case "on_phone":
      return { type: "await", displayText: "Confirm the payment on your phone." };
    case "declined":
      return { type: "declined", reason: "The sandbox declines this phone number or card." };
    case "no_answer":
      return { type: "no_answer" };
  }
}
