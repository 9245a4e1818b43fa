import { describe, expect, it } from "vitest";
import { createCharge } from "./create-charge.ts";
import { failure, secretKey, stubPaystack, success } from "./paystack-stub.ts";

const paystackReference = (reference: string) => reference.replace("_", "-");

/** Charges with this response of Paystack and returns the result. */
async function chargeWithReply(data: Record<string, unknown>) {
  const charge = createCharge();
  const { provider } = stubPaystack({
    "POST /charge": () => success({ reference: paystackReference(charge.reference), ...data }),
  });
  return provider.charge(charge);
}

describe("a mobile money charge", () => {
  it("sends subunits, the reference in Paystack's spelling and the secret key", async () => {
    const charge = createCharge();
    const { provider, calls } = stubPaystack({ "POST /charge": () => success({}) });
    await provider.charge(charge);
    expect(calls[0]?.headers.get("authorization")).toBe(`Bearer ${secretKey}`);
    expect(calls[0]?.headers.get("content-type")).toBe("application/json");
    expect(calls[0]?.body).toEqual({
      reference: charge.reference.replace("ref_", "ref-"),
      amount: 5_000,
      currency: "GHS",
      email: "ama@example.com",
      mobile_money: { phone: "0551234987", provider: "mtn" },
      metadata: { order_id: charge.orderId },
    });
    expect(calls[0]?.body.reference).toMatch(/^[A-Za-z0-9.=-]+$/);
  });

  it("sends a generated e-mail address without one, and a Kenyan number in E.164", async () => {
    const charge = createCharge({
      email: null,
      currency: "KES",
      mobileMoney: { phoneNumber: "+254710000000", provider: "mpesa" },
    });
    const { provider, calls } = stubPaystack({ "POST /charge": () => success({}) });
    await provider.charge(charge);
    expect(calls[0]?.body).toMatchObject({
      email: `${paystackReference(charge.reference)}@no-reply.example.com`,
      mobile_money: { phone: "+254710000000", provider: "mpesa" },
    });
  });

  it("sends hundredths for a currency without decimals, and does not take one with thousandths", async () => {
    const francs = createCharge({ currency: "XOF", amountMinor: 1_500 });
    const { provider, calls } = stubPaystack({
      "POST /charge": () =>
        success({
          reference: paystackReference(francs.reference),
          status: "success",
          amount: 150_000,
          currency: "XOF",
        }),
    });
    expect(await provider.charge(francs)).toEqual({
      type: "captured",
      amountMinor: 1_500,
      currency: "XOF",
    });
    expect(calls[0]?.body.amount).toBe(150_000);
    const dinars = createCharge({ currency: "KWD", amountMinor: 1_505 });
    expect(await provider.charge(dinars)).toEqual({ type: "unavailable", reason: "currency" });
    expect(calls).toHaveLength(1);
  });

  it.each([
    ["success", { amount: 5_000, currency: "GHS" }, { type: "captured", amountMinor: 5_000 }],
    ["success", { amount: 4_999, currency: "GHS" }, { type: "captured", amountMinor: 4_999 }],
    ["success", { amount: 5_000, currency: "NGN" }, { type: "captured", currency: "NGN" }],
    ["success", { amount: 5_000, currency: "???" }, { type: "no_answer" }],
    ["success", {}, { type: "no_answer" }],
    [
      "send_otp",
      { display_text: "Dial *110# for a voucher" },
      { authorizationType: "otp", displayText: "Dial *110# for a voucher" },
    ],
    ["send_otp", {}, { type: "authorization", authorizationType: "otp" }],
    ["send_pin", {}, { type: "authorization", authorizationType: "pin" }],
    ["send_phone", {}, { type: "authorization", authorizationType: "phone" }],
    ["send_birthday", {}, { type: "authorization", authorizationType: "birthday" }],
    ["send_address", { country_code: "CA" }, { authorizationType: "address" }],
    [
      "open_url",
      { url: "https://standard.paystack.co/close" },
      { type: "redirect", authorizationUrl: "https://standard.paystack.co/close" },
    ],
    ["open_url", { url: "javascript:alert(1)" }, { type: "no_answer" }],
    ["open_url", {}, { type: "no_answer" }],
    ["pay_offline", { display_text: "Approve it" }, { type: "await", displayText: "Approve it" }],
    ["pay_offline", {}, { type: "await", displayText: "Confirm the payment on your phone." }],
    ["pending", {}, { type: "await" }],
    ["a_status_of_next_year", {}, { type: "await" }],
    ["failed", { message: "Declined" }, { type: "declined", reason: "Declined." }],
    [
      "failed",
      { gateway_response: "Insufficient funds.", message: "x" },
      { type: "declined", reason: "Insufficient funds." },
    ],
    [
      "failed",
      { message: "0551234987 was declined" },
      { type: "declined", reason: "The provider gave no reason." },
    ],
    ["timeout", {}, { type: "declined", reason: "It was not confirmed in time." }],
  ])("%s %j is %j", async (status, data, result) => {
    expect(await chargeWithReply({ status, ...data })).toMatchObject(result);
  });

  it("treats a response about another charge as no answer", async () => {
    expect(
      await chargeWithReply({
        reference: "ref-other",
        status: "success",
        amount: 5_000,
        currency: "GHS",
      }),
    ).toEqual({ type: "no_answer" });
  });

  it("is declined without personal data when Paystack refuses it", async () => {
    const { provider, reports } = stubPaystack({
      "POST /charge": () => failure(`0551234987 or ama@example.com is invalid for ${secretKey}`),
    });
    const result = await provider.charge(createCharge());
    expect(result).toEqual({ type: "declined", reason: "The provider did not accept the charge." });
    expect(reports).toEqual([]);
  });
});

describe("a reference that was used before", () => {
  const duplicate = () => failure("Duplicate Transaction Reference");

  it.each([
    [{ status: "success" }, { type: "captured", amountMinor: 5_000 }],
    [{ status: "failed" }, { type: "declined" }],
    [{ status: "ongoing", channel: "card" }, { type: "await" }],
  ])("returns the earlier charge %j as %j", async (transaction, result) => {
    const charge = createCharge();
    const { provider, calls } = stubPaystack({
      "POST /charge": duplicate,
      "GET /transaction/verify/{}": () =>
        success({
          id: 1,
          reference: paystackReference(charge.reference),
          amount: 5_000,
          currency: "GHS",
          ...transaction,
        }),
    });
    expect(await provider.charge(charge)).toMatchObject(result);
    expect(calls.map(({ call }) => call)).toEqual([
      "POST /charge",
      `GET /transaction/verify/${paystackReference(charge.reference)}`,
    ]);
  });

  it("returns the pending challenge", async () => {
    const charge = createCharge();
    const reference = paystackReference(charge.reference);
    const { provider } = stubPaystack({
      "POST /charge": duplicate,
      "GET /transaction/verify/{}": () =>
        success({
          id: 1,
          reference,
          status: "ongoing",
          amount: 5_000,
          currency: "GHS",
          channel: "mobile_money",
        }),
      "GET /charge/{}": () => success({ reference, status: "send_otp" }),
    });
    expect(await provider.charge(charge)).toMatchObject({ authorizationType: "otp" });
  });
});

describe("a card charge", () => {
  const card = () =>
    createCharge({
      mobileMoney: null,
      returnUrls: { success: "https://shop.example/ok", cancel: "https://shop.example/no" },
    });

  it("redirects to Paystack's page with the shop's return addresses", async () => {
    const charge = card();
    const { provider, calls } = stubPaystack({
      "POST /transaction/initialize": () =>
        success({
          authorization_url: "https://checkout.paystack.com/0peioxfhpn",
          access_code: "0peioxfhpn",
          reference: paystackReference(charge.reference),
        }),
    });
    expect(await provider.charge(charge)).toEqual({
      type: "redirect",
      authorizationUrl: "https://checkout.paystack.com/0peioxfhpn",
    });
    expect(calls[0]?.body).toEqual({
      reference: paystackReference(charge.reference),
      amount: 5_000,
      currency: "GHS",
      email: "ama@example.com",
      channels: ["card"],
      callback_url: "https://shop.example/ok",
      metadata: { order_id: charge.orderId, cancel_action: "https://shop.example/no" },
    });
  });

  it("is declined when its page's address was lost, so that a new reference can be charged", async () => {
    const charge = card();
    const { provider } = stubPaystack({
      "POST /transaction/initialize": () => failure("Duplicate Transaction Reference"),
      "GET /transaction/verify/{}": () =>
        success({
          id: 1,
          reference: paystackReference(charge.reference),
          status: "abandoned",
          amount: 5_000,
          currency: "GHS",
        }),
    });
    expect(await provider.charge(charge)).toMatchObject({ type: "declined" });
  });

  it("treats a page address that is not https as no answer", async () => {
    const { provider } = stubPaystack({
      "POST /transaction/initialize": ({ body }) =>
        success({ authorization_url: "data:text/html,hello", reference: body.reference }),
    });
    expect(await provider.charge(card())).toEqual({ type: "no_answer" });
  });
});
