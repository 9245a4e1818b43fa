import type { Db } from "../database/index.ts";
import type { ChargeRequest, ChargeResult, PaymentProvider } from "./provider.ts";
import { type SandboxCharge, type SandboxStatus, sandboxRepo } from "./sandbox-repo.ts";

const sandboxOtp = "123456";

/**
 * The provider of test mode: it moves no money, and the phone number's last digit decides what
 * happens (completions.md 6). It keeps books of its own, so that it can be asked as a real one can.
 */
export function sandboxProvider(db: Db, now: () => number): PaymentProvider {
  const charges = sandboxRepo(db);

  async function settled(charge: SandboxCharge, status: SandboxStatus): Promise<ChargeResult> {
    await charges.setStatus(charge.reference, status);
    return resultOf({ ...charge, status });
  }

  return {
    name: "sandbox",

    async charge(request) {
      const earlier = await charges.find(request.reference);
      if (earlier) {
        return earlier.status === "no_answer" ? settled(earlier, "captured") : resultOf(earlier);
      }
      const charge = newCharge(
        request,
        firstStatus(request, await charges.countOf(request.orderId)),
        now(),
      );
      await charges.insert(charge);
      return resultOf(charge);
    },

    async authorize({ reference, type, value }) {
      const charge = await charges.find(reference);
      if (!charge) return { type: "no_answer" };
      if (charge.status !== "requires_otp") return resultOf(charge);
      if (type !== "otp" || value !== sandboxOtp) return { type: "wrong_value" };
      return settled(charge, "captured");
    },

    async verify(reference) {
      const charge = await charges.find(reference);
      if (!charge || charge.status === "no_answer") return { type: "unknown" };
      return charge.status === "on_phone" ? settled(charge, "captured") : resultOf(charge);
    },
  };
}

function firstStatus({ mobileMoney }: ChargeRequest, earlierCharges: number): SandboxStatus {
  switch (mobileMoney?.phoneNumber.at(-1)) {
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
  request: ChargeRequest,
  status: SandboxStatus,
  createdAt: number,
): SandboxCharge => ({
  reference: request.reference,
  orderId: request.orderId,
  amountMinor: request.amountMinor,
  currency: request.currency,
  phoneNumber: request.mobileMoney?.phoneNumber ?? null,
  status,
  refundedMinor: 0,
  createdAt,
});

function resultOf({ status, amountMinor, currency }: SandboxCharge): ChargeResult {
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
    case "on_phone":
      return { type: "await", displayText: "Confirm the payment on your phone." };
    case "declined":
      return { type: "declined", reason: "The sandbox declines numbers that end in 3." };
    case "no_answer":
      return { type: "no_answer" };
  }
}
