import { describe, expect, inject, it } from "vitest";
import { runtime } from "../../../functions/runtime/runtime.ts";
import { generateToken } from "../../../shared/kernel/index.ts";
import { type PaymentProvider, stripeProvider } from "../../../shared/payments/index.ts";
import { createCharge, createRefund } from "../create-charge.ts";

/** The adapter with the runtime's own fetch, connected to the server of stripe-server.ts. */
const createProvider = (fault = "server", timeoutMs = 10_000): PaymentProvider =>
  stripeProvider({
    secretKey: `sk_test_${fault}`,
    baseUrl: inject("stripe"),
    fetch: (url, init) => fetch(url, init),
    timeoutMs,
    now: () => runtime.now(),
    report: () => {},
    alert: () => {},
  });

const createCard = () =>
  createCharge({
    reference: `ref_${generateToken(runtime.randomBytes)}`,
    currency: "USD",
    mobileMoney: null,
    expiresAt: runtime.now() + 1_800_000,
  });

const payPage = (id: string, card = "pays") =>
  fetch(`${inject("stripe")}/pages/${id}`, { method: "POST", body: card });

const captured = { type: "captured", amountMinor: 5_000, currency: "USD" } as const;

describe("Stripe over a real connection", () => {
  it("captures on its page, and refunds in parts, each once", async () => {
    const provider = createProvider();
    const charge = createCard();
    const page = await provider.charge(charge);
    if (page.type !== "redirect") throw new Error(`The charge is ${page.type}.`);
    const providerReference = String(page.providerReference);
    expect(await provider.verify(charge.reference, { providerReference })).toEqual(page);
    expect((await payPage(providerReference)).status).toBe(200);
    const verified = await provider.verify(charge.reference, { providerReference });
    expect(verified).toMatchObject(captured);
    const refund = (refundId: string, amountMinor: number) =>
      provider.refund(createRefund(charge, { refundId, amountMinor, providerReference }));
    const [part, rest, more] = ["part", "rest", "more"].map(
      (name) => `rfd_${name}_${charge.reference}`,
    );
    expect(await refund(String(part), 2_000)).toEqual({ type: "refunded" });
    expect(await refund(String(part), 2_000)).toEqual({ type: "refunded" });
    expect(await refund(String(rest), 3_000)).toEqual({ type: "refunded" });
    expect(await refund(String(more), 1)).toMatchObject({ type: "declined" });
  });

  it("does not know a charge that was never sent", async () => {
    expect(await createProvider().verify(createCard().reference)).toEqual({ type: "unknown" });
  });
});

describe.each([
  ["slow", "nothing comes"],
  ["dripping", "its bytes come one by one, for ever"],
  ["cut", "it hangs up in the middle"],
  ["closed", "it hangs up"],
  ["half", "the JSON stops in the middle"],
  ["page", "a proxy answers"],
  ["moved", "it sends us elsewhere, where we do not go"],
  ["long", "the answer is longer than any"],
])("a charge whose answer is lost (%s: %s)", (fault) => {
  it("returns no_answer, and neither charges nor refunds twice", async () => {
    const [faulty, sound] = [createProvider(fault, 300), createProvider()];
    const page = createCard();
    expect(await faulty.charge(page)).toEqual({ type: "no_answer" });
    expect(await sound.charge(page)).toEqual(await sound.charge(page)); // the page of the first call
    const charge = { ...createCard(), paymentToken: "pm_card_visa" };
    expect(await faulty.charge(charge)).toEqual({ type: "no_answer" });
    expect(await sound.verify(charge.reference)).toMatchObject(captured);
    expect(await sound.charge(charge)).toMatchObject(captured);
    const refund = createRefund(charge, { refundId: `rfd_${charge.reference}` });
    expect(await faulty.refund(refund)).toEqual({ type: "no_answer" });
    expect(await sound.refund(refund)).toEqual({ type: "refunded" });
    expect(await sound.refund({ ...refund, refundId: "rfd_other" })).toMatchObject({
      type: "declined",
    });
  });
});
