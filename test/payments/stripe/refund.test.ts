import { beforeEach, describe, expect, it, vi } from "vitest";
import { createCharge, createRefund } from "../create-charge.ts";
import { createStripe, lostRequest, lostResponse } from "./connect.ts";

const start = Date.parse("2030-05-01T12:00:00Z");

beforeEach(() => {
  vi.setSystemTime(start);
});

/** A charge that was paid on Stripe's page, and its refund. */
async function createPaid() {
  const stripe = createStripe();
  const charge = createCharge({ currency: "USD", mobileMoney: null });
  const opened = await stripe.provider.charge(charge);
  const providerReference = "providerReference" in opened ? String(opened.providerReference) : "";
  stripe.account.payPage(providerReference);
  const refund = createRefund(charge, { providerReference, amountMinor: 2_000 });
  return { stripe, charge, refund };
}

const amounts = ({ account }: ReturnType<typeof createStripe>) =>
  account.refunds.map(({ amount }) => amount);

describe("a refund through Stripe", () => {
  it("has our id as its key and in its metadata", async () => {
    const { stripe, refund } = await createPaid();
    expect(await stripe.provider.refund(refund)).toEqual({ type: "refunded" });
    const call = stripe.requests.at(-1);
    expect(call?.headers.get("idempotency-key")).toBe(refund.refundId);
    expect(Object.fromEntries(call?.form ?? [])).toEqual({
      payment_intent: expect.stringMatching(/^pi_/),
      amount: "2000",
      "metadata[refund_id]": refund.refundId,
      "metadata[payment_reference]": refund.reference,
    });
  });

  it.each([
    ["the response was lost", [null, null, lostResponse]],
    ["the request was lost", [null, null, lostRequest]],
  ])("refunds once when %s, also after Stripe has forgotten the key", async (_, faults) => {
    const { stripe, refund } = await createPaid();
    stripe.faults.push(...faults);
    expect(await stripe.provider.refund(refund)).toEqual({ type: "no_answer" });
    expect(await stripe.provider.refund(refund)).toEqual({ type: "refunded" });
    vi.setSystemTime(start + 25 * 60 * 60_000);
    expect(await stripe.provider.refund(refund)).toEqual({ type: "refunded" });
    expect(amounts(stripe)).toEqual([2_000]);
  });

  it("is pending until Stripe has paid it out, and declined when that fails", async () => {
    const { stripe, refund } = await createPaid();
    stripe.account.options.refundStatus = "pending";
    const ask = () => stripe.provider.refund(refund);
    expect(await ask()).toEqual({ type: "pending" });
    expect(await ask()).toEqual({ type: "pending" });
    const [made] = stripe.account.refunds;
    if (!made) throw new Error("There is no refund.");
    made.status = "succeeded";
    expect(await ask()).toEqual({ type: "refunded" });
    made.status = "failed";
    expect(await ask()).toMatchObject({ type: "declined" });
    expect(amounts(stripe)).toEqual([2_000]);
  });

  it("is declined beyond the payment, and for a payment that Stripe does not know", async () => {
    const { stripe, charge, refund } = await createPaid();
    await stripe.provider.refund(refund);
    const rest = { ...refund, refundId: "rfd_rest", amountMinor: 3_001 };
    expect(await stripe.provider.refund(rest)).toMatchObject({ type: "declined" });
    const unknown = { ...createRefund(charge), reference: "ref_other" };
    expect(await stripe.provider.refund(unknown)).toMatchObject({ type: "declined" });
    expect(amounts(stripe)).toEqual([2_000]);
  });

  it("has no answer when the payment cannot be looked up", async () => {
    const { stripe, refund } = await createPaid();
    stripe.faults.push(lostResponse);
    expect(await stripe.provider.refund(refund)).toEqual({ type: "no_answer" });
  });
});
