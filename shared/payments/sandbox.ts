import type { Db } from "../database/index.ts";
import type {
  ChargeRequest,
  ChargeResult,
  PaymentProvider,
  RefundRequest,
  RefundResult,
} from "./provider.ts";
import { type SandboxCharge, type SandboxStatus, sandboxRepo } from "./sandbox-repo.ts";

const sandboxOtp = "123456";

/** The address of the page on which a card's charge is approved or declined. */
export type CardPage = (charge: Pick<ChargeRequest, "origin" | "reference">) => string;

/**
 * The provider of test mode: it moves no money, and the phone number's last digit decides what
 * happens (completions.md 6). It keeps books of its own, so that it can be asked as a real one can.
 */
export function sandboxProvider(
  db: Db,
  { now, pageOf }: Readonly<{ now: () => number; pageOf: CardPage }>,
): PaymentProvider {
  const books = sandboxRepo(db);

  async function captured(charge: SandboxCharge): Promise<ChargeResult> {
    await books.move(charge.reference, { from: charge.status, to: "captured" });
    return resultOf((await books.find(charge.reference)) ?? charge);
  }

  /** The charge of a reference: made now, or as it stands since it was. */
  async function charged(
    request: Omit<ChargeRequest, "origin">,
    start: () => Promise<Pick<SandboxCharge, "status" | "pageUrl">>,
  ): Promise<ChargeResult> {
    const earlier = await books.find(request.reference);
    if (earlier) return earlier.status === "no_answer" ? captured(earlier) : resultOf(earlier);
    const charge = { ...newCharge(request, now()), ...(await start()) };
    await books.insert(charge);
    return resultOf(charge);
  }

  async function cardStatus(earlierReference: string): Promise<SandboxStatus> {
    const earlier = await books.find(earlierReference);
    return earlier && isPaid(earlier) ? "captured" : "declined";
  }

  return {
    name: "sandbox",
    takenBy: "provider",

    charge: (request) =>
      charged(request, async () => ({
        status: firstStatus(request, await books.countOf(request.orderId)),
        pageUrl: request.mobileMoney === null ? pageOf(request) : null,
      })),

    /** A phone is asked as at the first time, by the same digits; a card that has paid pays again. */
    chargeAgain: (request) =>
      charged({ ...request, returnUrls: { success: null, cancel: null } }, async () => ({
        status:
          request.mobileMoney === null
            ? await cardStatus(request.earlierReference)
            : firstStatus(request, await books.countOf(request.orderId)),
        pageUrl: null,
      })),

    async authorize({ reference, type, value }) {
      const charge = await books.find(reference);
      if (!charge) return { type: "no_answer" };
      if (charge.status !== "requires_otp") return resultOf(charge);
      if (type !== "otp" || value !== sandboxOtp) return { type: "wrong_value" };
      return captured(charge);
    },

    async verify(reference, by) {
      const charge = await books.find(reference);
      if (!charge || charge.status === "no_answer") return { type: "unknown" };
      const isConfirmed = charge.status === "on_phone" && by === "shopper";
      return isConfirmed ? captured(charge) : resultOf(charge);
    },

    async refund(request) {
      const charge = await books.find(request.reference);
      if (!charge || !isPaid(charge)) return declined("There is no such payment.");
      if (charge.currency !== request.currency) return declined("The currency is another.");
      const { refundId, reference, amountMinor } = request;
      if (await books.refund({ refundId, reference, amountMinor, createdAt: now() })) {
        return { type: "refunded" };
      }
      const earlier = await books.findRefund(refundId);
      if (earlier === null) return declined("The amount is beyond what is left of the payment.");
      return isSame(earlier, request)
        ? { type: "refunded" }
        : declined("The refund's id was used for another.");
    },

    alert() {}, // no money moves here
  };
}

const isPaid = ({ status }: SandboxCharge): boolean =>
  status === "captured" || status === "refunded";

const isSame = (
  one: Pick<RefundRequest, "reference" | "amountMinor">,
  other: Pick<RefundRequest, "reference" | "amountMinor">,
): boolean => one.reference === other.reference && one.amountMinor === other.amountMinor;

const declined = (reason: string): RefundResult => ({ type: "declined", reason });

function firstStatus(
  { mobileMoney }: Pick<ChargeRequest, "mobileMoney">,
  earlierCharges: number,
): SandboxStatus {
  if (mobileMoney === null) return "redirected";
  switch (mobileMoney.phoneNumber.at(-1)) {
    case "1":
      return "requires_otp";
    case "2":
      return "on_phone";
    case "3":
      return "declined";
    case "4":
      return earlierCharges === 0 ? "no_answer" : "captured";
    default:
      return "captured";
  }
}

const newCharge = (
  request: Omit<ChargeRequest, "origin">,
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

function resultOf({ status, amountMinor, currency, pageUrl }: SandboxCharge): ChargeResult {
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
      return { type: "declined", reason: "The sandbox declined it." };
    case "no_answer":
      return { type: "no_answer" };
  }
}
