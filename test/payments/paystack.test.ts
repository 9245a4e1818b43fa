import { describe, expect, it } from "vitest";
import { givenCharge, givenRefund } from "./given.ts";
import { paystack, refused, said } from "./paystack-stand-in.ts";

const reference = "ref_00000000000000000000000000000000000000aa";
const paystacks = "ref-00000000000000000000000000000000000000aa";

const transaction = (fields: Record<string, unknown>) =>
  said({
    id: 4_099_260_516,
    reference: paystacks,
    amount: 5_000,
    currency: "GHS",
    channel: "card",
    ...fields,
  });

describe("verify", () => {
  it.each([
    ["success", { type: "captured", amountMinor: 5_000, currency: "GHS" }],
    ["failed", { type: "declined" }],
    ["reversed", { type: "declined" }],
    ["abandoned", { type: "open" }],
    ["pending", { type: "open" }],
    ["ongoing", { type: "open" }],
    ["a_status_of_next_year", { type: "open" }],
  ])("reads %s as %j", async (status, result) => {
    const { provider, asked } = paystack({
      "GET /transaction/verify/{}": () => transaction({ status }),
    });
    expect(await provider.verify(reference)).toMatchObject(result);
    expect(asked.map(({ call }) => call)).toEqual([`GET /transaction/verify/${paystacks}`]);
  });

  it.each([
    ["Transaction reference not found", 400],
    ["Transaction not found", 404],
    ["Transaction reference is invalid", 400],
  ])("knows %s (%i) for a payment that never was", async (message, status) => {
    const { provider } = paystack({
      "GET /transaction/verify/{}": () => refused(message, status),
    });
    expect(await provider.verify(reference)).toEqual({ type: "unknown" });
  });

  it("takes no other refusal for that: a charge would follow", async () => {
    const { provider } = paystack({
      "GET /transaction/verify/{}": () => refused("Merchant is not enabled"),
    });
    expect(await provider.verify(reference)).toEqual({ type: "no_answer" });
  });

  it("takes nothing from an answer about another payment", async () => {
    const { provider } = paystack({
      "GET /transaction/verify/{}": () => transaction({ status: "success", reference: "ref-bb" }),
    });
    expect(await provider.verify(reference)).toEqual({ type: "no_answer" });
  });

  it.each([
    [said({ reference: paystacks, status: "send_otp" }), { authorizationType: "otp" }],
    [said({ reference: paystacks, status: "pay_offline" }), { type: "await" }],
    [said({ reference: paystacks, status: "pending" }), { type: "open" }],
    [refused("Charge not found", 404), { type: "open" }],
    [new Response("<html>", { status: 502 }), { type: "open" }],
  ])("asks what a phone still has to do", async (answer, result) => {
    const { provider } = paystack({
      "GET /transaction/verify/{}": () =>
        transaction({ status: "ongoing", channel: "mobile_money" }),
      "GET /charge/{}": () => answer,
    });
    expect(await provider.verify(reference)).toMatchObject(result);
  });
});

describe("authorize", () => {
  it.each([
    ["otp", "123456", { otp: "123456" }],
    ["pin", "1234", { pin: "1234" }],
    ["phone", "0551234987", { phone: "0551234987" }],
    ["birthday", "1990-12-31", { birthday: "1990-12-31" }],
    [
      "address",
      "Flat 3, 140 N 2nd St, Stroudsburg, PA, 18360",
      { address: "Flat 3, 140 N 2nd St", city: "Stroudsburg", state: "PA", zip_code: "18360" },
    ],
  ] as const)("submits %s", async (type, value, body) => {
    const { provider, asked } = paystack({
      [`POST /charge/submit_${type}`]: () =>
        said({ reference: paystacks, status: "success", amount: 5_000, currency: "GHS" }),
    });
    expect(await provider.authorize({ reference, type, value })).toMatchObject({
      type: "captured",
    });
    expect(asked[0]?.body).toEqual({ ...body, reference: paystacks });
  });

  it.each([
    ["send_otp", { type: "wrong_value" }],
    ["send_pin", { type: "authorization", authorizationType: "pin" }],
    ["pay_offline", { type: "await" }],
    ["pending", { type: "await" }],
    ["failed", { type: "declined" }],
  ])("takes %s after a code for %j", async (status, result) => {
    const { provider } = paystack({
      "POST /charge/submit_otp": () => said({ reference: paystacks, status }),
    });
    expect(await provider.authorize({ reference, type: "otp", value: "1" })).toMatchObject(result);
  });

  it.each([
    ["ongoing", { type: "wrong_value" }],
    ["success", { type: "captured" }],
    ["failed", { type: "declined" }],
  ])("that is refused asks how the charge stands: %s is %j", async (status, result) => {
    const { provider } = paystack({
      "POST /charge/submit_otp": () => refused("Provided registration token is invalid"),
      "GET /transaction/verify/{}": () => transaction({ status }),
    });
    expect(await provider.authorize({ reference, type: "otp", value: "1" })).toMatchObject(result);
  });

  it("asks nobody about a value that cannot be one", async () => {
    const { provider, asked } = paystack({});
    for (const authorization of [
      { reference, type: "3ds", value: "1" },
      { reference, type: "address", value: "Accra" },
    ] as const) {
      expect(await provider.authorize(authorization)).toEqual({ type: "wrong_value" });
    }
    expect(asked).toEqual([]);
  });
});

describe("refund", () => {
  const refund = givenRefund(givenCharge({ reference }), { refundId: "rfd_1", amountMinor: 2_000 });
  const paid = { "GET /transaction/verify/{}": () => transaction({ status: "success" }) };
  const posts = (asked: readonly { call: string }[]) =>
    asked.filter(({ call }) => call === "POST /refund").length;

  it("is asked for in subunits, and bears our id in its note", async () => {
    const { provider, asked } = paystack({
      ...paid,
      "GET /refund": () => said([]),
      "POST /refund": () => said({ status: "pending", merchant_note: "rfd_1" }),
    });
    expect(await provider.refund(refund)).toEqual({ type: "pending" });
    expect(asked[1]?.query).toBe("?transaction=4099260516&perPage=100&page=1");
    expect(asked[2]?.body).toEqual({
      transaction: paystacks,
      amount: 2_000,
      currency: "GHS",
      merchant_note: "rfd_1",
    });
  });

  it.each([
    ["pending", { type: "pending" }],
    ["processing", { type: "pending" }],
    ["needs-attention", { type: "pending" }],
    ["processed", { type: "refunded" }],
    ["failed", { type: "declined" }],
  ])("that Paystack has already is not asked for again: %s is %j", async (status, result) => {
    const { provider, asked } = paystack({
      ...paid,
      "GET /refund": () =>
        said([
          { status: "processed", merchant_note: null },
          { status, merchant_note: "rfd_1" },
        ]),
    });
    expect(await provider.refund(refund)).toMatchObject(result);
    expect(posts(asked)).toBe(0);
  });

  it("is looked for on the next page too", async () => {
    const others = Array.from({ length: 100 }, () => ({ status: "pending", merchant_note: "x" }));
    const { provider, asked } = paystack({
      ...paid,
      "GET /refund": ({ query }) =>
        said(query.endsWith("=1") ? others : [{ status: "processed", merchant_note: "rfd_1" }]),
    });
    expect(await provider.refund(refund)).toEqual({ type: "refunded" });
    expect(posts(asked)).toBe(0);
  });

  it("whose answer was lost happens once", async () => {
    const books: { status: string; merchant_note: unknown }[] = [];
    const { provider, asked } = paystack({
      ...paid,
      "GET /refund": () => said(books),
      "POST /refund": ({ body }) => {
        books.push({ status: "pending", merchant_note: body.merchant_note });
        throw new TypeError("Network connection lost.");
      },
    });
    expect(await provider.refund(refund)).toEqual({ type: "no_answer" });
    expect(await provider.refund(refund)).toEqual({ type: "pending" });
    expect(posts(asked)).toBe(1);
  });

  it("is not posted while Paystack does not say what it has", async () => {
    const { provider, asked } = paystack({
      ...paid,
      "GET /refund": () => new Response("", { status: 500 }),
    });
    expect(await provider.refund(refund)).toEqual({ type: "no_answer" });
    expect(posts(asked)).toBe(0);
  });

  it("is declined for an unknown payment, and where Paystack refuses", async () => {
    const unknown = paystack({
      "GET /transaction/verify/{}": () => refused("Transaction reference not found", 404),
    });
    expect(await unknown.provider.refund(refund)).toMatchObject({ type: "declined" });
    const reversed = paystack({
      ...paid,
      "GET /refund": () => said([]),
      "POST /refund": () => refused("Transaction has been fully reversed"),
    });
    expect(await reversed.provider.refund(refund)).toMatchObject({ type: "declined" });
  });
});
