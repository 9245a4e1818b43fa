import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ChargeRequest } from "../../../shared/payments/index.ts";
import { createCharge } from "../create-charge.ts";
import { createStripe, lostRequest, lostResponse } from "./connect.ts";
import { stripeKey } from "./stand-in/account.ts";

const start = Date.parse("2030-05-01T12:00:00Z");

beforeEach(() => {
  vi.setSystemTime(start);
});

/** A card charge of 50.00 USD. */
const createCard = (fields: Partial<ChargeRequest> = {}) =>
  createCharge({
    currency: "USD",
    mobileMoney: null,
    expiresAt: Date.now() + 1_800_000,
    returnUrls: { success: "https://shop.example/ok", cancel: "https://shop.example/no" },
    ...fields,
  });

/** The page that a charge opened. */
async function openPage(stripe: ReturnType<typeof createStripe>, charge: ChargeRequest) {
  const result = await stripe.provider.charge(charge);
  if (result.type !== "redirect") throw new Error(`The charge is ${JSON.stringify(result)}.`);
  return String(result.providerReference);
}

describe("a card charge through Stripe's page", () => {
  it("sends one line with the order's number and total, and our reference as its key", async () => {
    const stripe = createStripe();
    const charge = createCard({ orderNumber: "1042" });
    expect(await stripe.provider.charge(charge)).toEqual({
      type: "redirect",
      authorizationUrl: expect.stringMatching(/^https:\/\/checkout\.stripe\.com\//),
      providerReference: expect.stringMatching(/^cs_test_/),
    });
    const [call] = stripe.requests;
    expect(call?.name).toBe("POST /v1/checkout/sessions");
    expect(call?.headers.get("authorization")).toBe(`Bearer ${stripeKey}`);
    expect(call?.headers.get("idempotency-key")).toBe(charge.reference);
    expect(Object.fromEntries(call?.form ?? [])).toEqual({
      mode: "payment",
      ui_mode: "hosted_page",
      "allowed_payment_method_types[0]": "card",
      "line_items[0][quantity]": "1",
      "line_items[0][price_data][currency]": "usd",
      "line_items[0][price_data][unit_amount]": "5000",
      "line_items[0][price_data][product_data][name]": "Order 1042",
      "adaptive_pricing[enabled]": "false",
      client_reference_id: charge.reference,
      "metadata[payment_reference]": charge.reference,
      "metadata[order_id]": charge.orderId,
      "payment_intent_data[metadata][payment_reference]": charge.reference,
      "payment_intent_data[metadata][order_id]": charge.orderId,
      "payment_intent_data[description]": "Order 1042",
      customer_email: "ama@example.com",
      expires_at: String(start / 1_000 + 1_920),
      success_url: "https://shop.example/ok",
      cancel_url: "https://shop.example/no",
    });
  });

  it("is not available with a restricted key that may not make it, and stays so", async () => {
    const stripe = createStripe();
    const forbidden = () =>
      Response.json({ error: { message: "The key lacks a permission." } }, { status: 403 });
    stripe.faults.push(forbidden, forbidden);
    const charge = createCard();
    expect(await stripe.provider.charge(charge)).toEqual({
      type: "unavailable",
      reason: "credentials",
    });
    expect(stripe.refusedKeys()).toBe(1);
    expect(await stripe.provider.verify(charge.reference)).toEqual({
      type: "no_answer",
      isKeyRefused: true,
    });
    expect(stripe.account.sessions.size).toBe(0);
  });

  it("opens a page for a charge whose time is over, or longer than Stripe's 24 hours", async () => {
    for (const expiresAt of [start - 60_000, start + 48 * 3_600_000]) {
      const stripe = createStripe();
      const charge = createCard({ expiresAt });
      const id = await openPage(stripe, charge);
      expect(stripe.account.sessions.get(id)).toMatchObject({
        status: "open",
        expires_at: start / 1_000 + 1_920,
      });
      // A repeat gets no second page: the key was used with another time, and nobody saw the first.
      expect(await stripe.provider.charge(charge)).toMatchObject({ type: "declined" });
      expect(stripe.account.sessions.size).toBe(1);
    }
  });

  it("saves the card of a subscription, and leads to our page when the shop gave no address", async () => {
    const stripe = createStripe();
    const returnUrls = { success: null, cancel: null };
    await stripe.provider.charge(createCard({ savesPayer: true, email: null, returnUrls }));
    const form = Object.fromEntries(stripe.requests[0]?.form ?? []);
    expect(form).toMatchObject({
      customer_creation: "always",
      "payment_intent_data[setup_future_usage]": "off_session",
      success_url: "https://duka.test/api/v1/payments/return",
      cancel_url: "https://duka.test/api/v1/payments/return",
    });
    expect(form).not.toHaveProperty("customer_email");
  });

  it.each<readonly [string, number, number]>([
    ["USD", 5_000, 5_000],
    ["JPY", 5_000, 5_000],
    ["UGX", 5_000, 500_000],
    ["ISK", 5_000, 500_000],
    ["KWD", 5_010, 5_010],
    ["MGA", 500_000, 5_000],
  ])("converts %s %i to %i and back", async (currency, amountMinor, amount) => {
    const stripe = createStripe();
    const charge = createCard({ currency, amountMinor });
    const providerReference = await openPage(stripe, charge);
    expect(stripe.requests[0]?.form.get("line_items[0][price_data][unit_amount]")).toBe(
      String(amount),
    );
    stripe.account.payPage(providerReference);
    const verified = await stripe.provider.verify(charge.reference, { providerReference });
    expect(verified).toEqual({ type: "captured", amountMinor, currency, providerReference });
  });

  it.each<readonly [string, Partial<ChargeRequest>, string]>([
    ["a currency that the account does not take", { currency: "GHS" }, "currency"],
    [
      "thousandths that card networks do not take",
      { currency: "KWD", amountMinor: 5_005 },
      "currency",
    ],
    ["parts of a currency without decimals", { currency: "MGA", amountMinor: 150 }, "currency"],
    ["an amount below the smallest one", { amountMinor: 10 }, "method"],
    ["mobile money", { mobileMoney: { phoneNumber: "+233551234987", provider: "mtn" } }, "method"],
  ])("is not available for %s", async (_, fields, reason) => {
    const stripe = createStripe();
    const charge = createCard(fields);
    expect(await stripe.provider.charge(charge)).toEqual({ type: "unavailable", reason });
    expect(await stripe.provider.verify(charge.reference)).toEqual({ type: "unknown" });
    expect(stripe.account.sessions.size).toBe(0);
  });

  it("is not available without cards or with a refused key, which is reported once per charge", async () => {
    const stripe = createStripe();
    stripe.account.options.refusesCards = true;
    const unavailable = { type: "unavailable", reason: "method" };
    expect(await stripe.provider.charge(createCard())).toEqual(unavailable);
    expect(stripe.refusedKeys()).toBe(0);
    const other = createStripe({ secretKey: "sk_test_of_somebody_else" });
    expect(await other.provider.charge(createCard())).toEqual({
      type: "unavailable",
      reason: "credentials",
    });
    expect(other.refusedKeys()).toBe(1);
    expect(await other.provider.verify("ref_1")).toEqual({
      type: "no_answer",
      isKeyRefused: true,
    });
    expect(other.refusedKeys()).toBe(1);
  });
});

describe("the state of a page", () => {
  it("is open until it is paid, also after a declined card", async () => {
    const stripe = createStripe();
    const charge = createCard();
    const providerReference = await openPage(stripe, charge);
    const verify = () => stripe.provider.verify(charge.reference, { providerReference });
    expect(await verify()).toMatchObject({ type: "redirect" });
    stripe.account.payPage(providerReference, "declined");
    expect(await verify()).toMatchObject({ type: "redirect" });
    stripe.account.payPage(providerReference);
    expect(await verify()).toMatchObject({ type: "captured", amountMinor: 5_000 });
  });

  it("is declined after its time, and after it was closed for another payment", async () => {
    const stripe = createStripe();
    const charge = createCard();
    const providerReference = await openPage(stripe, charge);
    const facts = { providerReference };
    const other = createCard();
    const closed = { providerReference: await openPage(stripe, other) };
    expect(await stripe.provider.voidCharge?.(other.reference, closed)).toMatchObject({
      type: "declined",
    });
    expect(() => stripe.account.payPage(closed.providerReference)).toThrow("not open");
    vi.setSystemTime(start + 33 * 60_000);
    expect(await stripe.provider.verify(charge.reference, facts)).toMatchObject({
      type: "declined",
    });
  });

  it("is not closed when it was paid before, also when its response was lost", async () => {
    const stripe = createStripe();
    const charge = createCard();
    const providerReference = await openPage(stripe, charge);
    const facts = { providerReference };
    stripe.account.payPage(providerReference);
    const voidCharge = () => stripe.provider.voidCharge?.(charge.reference, facts);
    expect(await voidCharge()).toMatchObject({ type: "captured" });
    const other = createCard();
    const lost = { providerReference: await openPage(stripe, other) };
    stripe.faults.push(null, lostResponse);
    expect(await stripe.provider.voidCharge?.(other.reference, lost)).toEqual({
      type: "no_answer",
    });
    expect(await stripe.provider.voidCharge?.(other.reference, lost)).toMatchObject({
      type: "declined",
    });
  });

  it("says nothing for another charge's page", async () => {
    const stripe = createStripe();
    const providerReference = await openPage(stripe, createCard());
    expect(await stripe.provider.verify("ref_other", { providerReference })).toEqual({
      type: "no_answer",
    });
  });
});

describe("a page whose response was lost", () => {
  it("is returned again by the same charge", async () => {
    const stripe = createStripe();
    const charge = createCard();
    stripe.faults.push(lostResponse);
    expect(await stripe.provider.charge(charge)).toEqual({ type: "no_answer" });
    vi.setSystemTime(start + 10 * 60_000);
    expect(await stripe.provider.verify(charge.reference)).toEqual({ type: "unknown" });
    expect(await stripe.provider.charge(charge)).toMatchObject({ type: "redirect" });
    expect(stripe.account.sessions.size).toBe(1);
  });

  it("is opened late when the request was lost, and only once", async () => {
    const stripe = createStripe();
    const charge = createCard();
    stripe.faults.push(lostRequest);
    expect(await stripe.provider.charge(charge)).toEqual({ type: "no_answer" });
    vi.setSystemTime(start + 10 * 60_000);
    expect(await stripe.provider.charge(charge)).toMatchObject({ type: "redirect" });
    expect(stripe.account.sessions.size).toBe(1);
  });

  it("is given up when it had other return addresses, because nobody has seen it", async () => {
    const stripe = createStripe();
    const charge = createCard();
    stripe.faults.push(lostResponse);
    await stripe.provider.charge(charge);
    const returnUrls = { success: "https://shop.example/other", cancel: null };
    expect(await stripe.provider.charge({ ...charge, returnUrls })).toMatchObject({
      type: "declined",
    });
    expect(stripe.account.sessions.size).toBe(1);
  });

  it("is found by its payment, a minute after it was paid", async () => {
    const stripe = createStripe();
    const charge = createCard();
    const id = await openPage(stripe, charge);
    stripe.account.payPage(id, "declined");
    vi.setSystemTime(start + 90_000);
    expect(await stripe.provider.verify(charge.reference)).toMatchObject({
      type: "redirect",
      providerReference: id,
    });
    stripe.account.payPage(id);
    expect(await stripe.provider.verify(charge.reference)).toMatchObject({ type: "captured" });
  });
});

describe("a payment method that a wallet handed over", () => {
  const chargeToken = async (paymentToken: string, fields: Partial<ChargeRequest> = {}) => {
    const stripe = createStripe();
    const charge = createCard({ paymentToken, ...fields });
    return { stripe, charge, result: await stripe.provider.charge(charge) };
  };

  it.each(["pm_card_visa", "tok_visa", "ctoken_visa"])("%s is charged at once", async (token) => {
    const { stripe, charge, result } = await chargeToken(token);
    expect(result).toMatchObject({ type: "captured", amountMinor: 5_000, currency: "USD" });
    expect(await stripe.provider.charge(charge)).toEqual(result);
    expect(stripe.account.intents.size).toBe(1);
  });

  it("is declined with a reason, again for a repeat", async () => {
    const { stripe, charge, result } = await chargeToken("pm_card_chargeDeclined");
    expect(result).toEqual({
      type: "declined",
      reason: "The card was declined.",
      providerReference: expect.stringMatching(/^pi_/),
    });
    expect(await stripe.provider.charge(charge)).toEqual(result);
    const [intent] = stripe.account.intents.keys();
    const facts = { providerReference: String(intent) };
    expect(await stripe.provider.verify(charge.reference, facts)).toMatchObject({
      type: "declined",
    });
  });

  it("leads to the bank's page when the bank asks, and can be cancelled until then", async () => {
    const { stripe, charge, result } = await chargeToken("pm_card_authenticationRequired");
    expect(result).toMatchObject({
      type: "redirect",
      authorizationUrl: expect.stringMatching(/^https:\/\/hooks\.stripe\.com\//),
    });
    if (result.type !== "redirect") return;
    const facts = { providerReference: String(result.providerReference) };
    const form = stripe.requests.at(-1)?.form;
    expect(form?.get("return_url")).toBe("https://shop.example/ok");
    expect(await stripe.provider.voidCharge?.(charge.reference, facts)).toMatchObject({
      type: "declined",
    });
    expect(await stripe.provider.verify(charge.reference, facts)).toMatchObject({
      type: "declined",
    });
  });

  it("is charged once when its response was lost", async () => {
    const stripe = createStripe();
    const charge = createCard({ paymentToken: "pm_card_visa" });
    stripe.faults.push(lostResponse);
    expect(await stripe.provider.charge(charge)).toEqual({ type: "no_answer" });
    expect(await stripe.provider.verify(charge.reference)).toEqual({ type: "unknown" });
    expect(await stripe.provider.charge(charge)).toMatchObject({ type: "captured" });
    vi.setSystemTime(start + 90_000);
    expect(await stripe.provider.verify(charge.reference)).toMatchObject({ type: "captured" });
    expect(stripe.account.intents.size).toBe(1);
  });

  it("is not answered for when it was sent with other parameters", async () => {
    const stripe = createStripe();
    const charge = createCard({ paymentToken: "pm_card_visa" });
    await stripe.provider.charge(charge);
    const other = { ...charge, paymentToken: "pm_card_chargeDeclined" };
    expect(await stripe.provider.charge(other)).toEqual({ type: "no_answer" });
  });
});
