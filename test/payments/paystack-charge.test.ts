import { describe, expect, it } from "vitest";
import { givenCharge } from "./given.ts";
import { paystack, refused, said, secretKey } from "./paystack-stand-in.ts";

const paystacks = (reference: string) => reference.replace("_", "-");

/** What a charge comes to when Paystack answers it like this. */
async function charged(data: Record<string, unknown>) {
  const charge = givenCharge();
  const { provider } = paystack({
    "POST /charge": () => said({ reference: paystacks(charge.reference), ...data }),
  });
  return provider.charge(charge);
}

describe("a charge of mobile money", () => {
  it("is asked for in subunits, under our reference in Paystack's letters, with our key", async () => {
    const charge = givenCharge();
    const { provider, asked } = paystack({ "POST /charge": () => said({}) });
    await provider.charge(charge);
    expect(asked[0]?.headers.get("authorization")).toBe(`Bearer ${secretKey}`);
    expect(asked[0]?.headers.get("content-type")).toBe("application/json");
    expect(asked[0]?.body).toEqual({
      reference: charge.reference.replace("ref_", "ref-"),
      amount: 5_000,
      currency: "GHS",
      email: "ama@example.com",
      mobile_money: { phone: "0551234987", provider: "mtn" },
      metadata: { order_id: charge.orderId },
    });
    expect(asked[0]?.body.reference).toMatch(/^[A-Za-z0-9.=-]+$/);
  });

  it("names an address of its own for who gave a phone only, and keeps a Kenyan number whole", async () => {
    const charge = givenCharge({
      email: null,
      currency: "KES",
      mobileMoney: { phoneNumber: "+254710000000", provider: "mpesa" },
    });
    const { provider, asked } = paystack({ "POST /charge": () => said({}) });
    await provider.charge(charge);
    expect(asked[0]?.body).toMatchObject({
      email: `${paystacks(charge.reference)}@no-reply.example.com`,
      mobile_money: { phone: "+254710000000", provider: "mpesa" },
    });
  });

  it("counts hundredths also where a currency has none, and does without where it has thousandths", async () => {
    const francs = givenCharge({ currency: "XOF", amountMinor: 1_500 });
    const { provider, asked } = paystack({
      "POST /charge": () =>
        said({
          reference: paystacks(francs.reference),
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
    expect(asked[0]?.body.amount).toBe(150_000);
    const dinars = givenCharge({ currency: "KWD", amountMinor: 1_505 });
    expect(await provider.charge(dinars)).toMatchObject({ type: "declined" });
    expect(asked).toHaveLength(1);
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
    ["failed", { message: "Transaction declined" }, { type: "declined" }],
    ["timeout", {}, { type: "declined" }],
  ])("%s %j is %j", async (status, data, result) => {
    expect(await charged({ status, ...data })).toMatchObject(result);
  });

  it("is no answer when Paystack speaks of another charge", async () => {
    expect(
      await charged({ reference: "ref-other", status: "success", amount: 5_000, currency: "GHS" }),
    ).toEqual({ type: "no_answer" });
  });

  it("that Paystack refuses is declined, in words that hold nothing of the shopper's or ours", async () => {
    const { provider, reports } = paystack({
      "POST /charge": () => refused(`0551234987 or ama@example.com is invalid for ${secretKey}`),
    });
    const result = await provider.charge(givenCharge());
    expect(result).toEqual({ type: "declined", reason: "Paystack refused the charge (400)." });
    expect(reports).toEqual([]);
  });
});

describe("a reference that Paystack has already", () => {
  const duplicate = () => refused("Duplicate Transaction Reference");

  it.each([
    [{ status: "success" }, { type: "captured", amountMinor: 5_000 }],
    [{ status: "failed" }, { type: "declined" }],
    [{ status: "ongoing", channel: "card" }, { type: "await" }],
  ])("is the earlier charge, %j: %j", async (transaction, result) => {
    const charge = givenCharge();
    const { provider, asked } = paystack({
      "POST /charge": duplicate,
      "GET /transaction/verify/{}": () =>
        said({
          id: 1,
          reference: paystacks(charge.reference),
          amount: 5_000,
          currency: "GHS",
          ...transaction,
        }),
    });
    expect(await provider.charge(charge)).toMatchObject(result);
    expect(asked.map(({ call }) => call)).toEqual([
      "POST /charge",
      `GET /transaction/verify/${paystacks(charge.reference)}`,
    ]);
  });

  it("asks the phone's challenge anew", async () => {
    const charge = givenCharge();
    const reference = paystacks(charge.reference);
    const { provider } = paystack({
      "POST /charge": duplicate,
      "GET /transaction/verify/{}": () =>
        said({
          id: 1,
          reference,
          status: "ongoing",
          amount: 5_000,
          currency: "GHS",
          channel: "mobile_money",
        }),
      "GET /charge/{}": () => said({ reference, status: "send_otp" }),
    });
    expect(await provider.charge(charge)).toMatchObject({ authorizationType: "otp" });
  });
});

describe("a charge of a card", () => {
  const card = () =>
    givenCharge({
      mobileMoney: null,
      returnUrls: { success: "https://shop.example/ok", cancel: "https://shop.example/no" },
    });

  it("opens Paystack's page, which leads on to the shop's addresses", async () => {
    const charge = card();
    const { provider, asked } = paystack({
      "POST /transaction/initialize": () =>
        said({
          authorization_url: "https://checkout.paystack.com/0peioxfhpn",
          access_code: "0peioxfhpn",
          reference: paystacks(charge.reference),
        }),
    });
    expect(await provider.charge(charge)).toEqual({
      type: "redirect",
      authorizationUrl: "https://checkout.paystack.com/0peioxfhpn",
    });
    expect(asked[0]?.body).toEqual({
      reference: paystacks(charge.reference),
      amount: 5_000,
      currency: "GHS",
      email: "ama@example.com",
      channels: ["card"],
      callback_url: "https://shop.example/ok",
      metadata: { order_id: charge.orderId, cancel_action: "https://shop.example/no" },
    });
  });

  it("whose page's address was lost is declined, so that a new reference opens another", async () => {
    const charge = card();
    const { provider } = paystack({
      "POST /transaction/initialize": () => refused("Duplicate Transaction Reference"),
      "GET /transaction/verify/{}": () =>
        said({
          id: 1,
          reference: paystacks(charge.reference),
          status: "abandoned",
          amount: 5_000,
          currency: "GHS",
        }),
    });
    expect(await provider.charge(charge)).toMatchObject({ type: "declined" });
  });

  it("gets no answer from an address that is none of the web's", async () => {
    const { provider } = paystack({
      "POST /transaction/initialize": ({ body }) =>
        said({ authorization_url: "data:text/html,hello", reference: body.reference }),
    });
    expect(await provider.charge(card())).toEqual({ type: "no_answer" });
  });
});
