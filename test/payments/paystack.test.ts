import { describe, expect, it } from "vitest";
import { createCharge, createRefund } from "./create-charge.ts";
import { failure, stubPaystack, success } from "./paystack-stub.ts";

const reference = "ref_00000000000000000000000000000000000000aa";
const paystacks = "ref-00000000000000000000000000000000000000aa";

const transaction = (fields: Record<string, unknown>) =>
  success({
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
  ])("maps the status %s to %j", async (status, result) => {
    const { provider, calls } = stubPaystack({
      "GET /transaction/verify/{}": () => transaction({ status }),
    });
    expect(await provider.verify(reference)).toMatchObject(result);
    expect(calls.map(({ call }) => call)).toEqual([`GET /transaction/verify/${paystacks}`]);
  });

  it.each([
    ["Transaction reference not found", 400],
    ["Transaction not found", 404],
    ["Transaction reference is invalid", 400],
  ])("reports an unknown payment for the message %s (%i)", async (message, status) => {
    const { provider } = stubPaystack({
      "GET /transaction/verify/{}": () => failure(message, status),
    });
    expect(await provider.verify(reference)).toEqual({ type: "unknown" });
  });

  it("treats another refusal as no answer, because an unknown payment would be charged", async () => {
    const { provider } = stubPaystack({
      "GET /transaction/verify/{}": () => failure("Merchant is not enabled"),
    });
    expect(await provider.verify(reference)).toEqual({ type: "no_answer" });
  });

  it("treats a response about another payment as no answer", async () => {
    const { provider } = stubPaystack({
      "GET /transaction/verify/{}": () => transaction({ status: "success", reference: "ref-bb" }),
    });
    expect(await provider.verify(reference)).toEqual({ type: "no_answer" });
  });

  it.each([
    [success({ reference: paystacks, status: "send_otp" }), { authorizationType: "otp" }],
    [success({ reference: paystacks, status: "pay_offline" }), { type: "await" }],
    [success({ reference: paystacks, status: "pending" }), { type: "open" }],
    [failure("Charge not found", 404), { type: "open" }],
    [new Response("<html>", { status: 502 }), { type: "open" }],
  ])("looks up what a mobile money charge waits for", async (answer, result) => {
    const { provider } = stubPaystack({
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
    const { provider, calls } = stubPaystack({
      [`POST /charge/submit_${type}`]: () =>
        success({ reference: paystacks, status: "success", amount: 5_000, currency: "GHS" }),
    });
    expect(await provider.authorize({ reference, type, value })).toMatchObject({
      type: "captured",
    });
    expect(calls[0]?.body).toEqual({ ...body, reference: paystacks });
  });

  it.each([
    ["send_otp", { type: "wrong_value" }],
    ["send_pin", { type: "authorization", authorizationType: "pin" }],
    ["pay_offline", { type: "await" }],
    ["pending", { type: "await" }],
    ["failed", { type: "declined" }],
  ])("maps the status %s after a code to %j", async (status, result) => {
    const { provider } = stubPaystack({
      "POST /charge/submit_otp": () => success({ reference: paystacks, status }),
    });
    expect(await provider.authorize({ reference, type: "otp", value: "1" })).toMatchObject(result);
  });

  it.each([
    ["ongoing", { type: "wrong_value" }],
    ["success", { type: "captured" }],
    ["failed", { type: "declined" }],
  ])("verifies the charge when the value is refused: %s is %j", async (status, result) => {
    const { provider } = stubPaystack({
      "POST /charge/submit_otp": () => failure("Provided registration token is invalid"),
      "GET /transaction/verify/{}": () => transaction({ status }),
    });
    expect(await provider.authorize({ reference, type: "otp", value: "1" })).toMatchObject(result);
  });

  it("rejects a malformed value without calling Paystack", async () => {
    const { provider, calls } = stubPaystack({});
    for (const authorization of [
      { reference, type: "3ds", value: "1" },
      { reference, type: "address", value: "Accra" },
    ] as const) {
      expect(await provider.authorize(authorization)).toEqual({ type: "wrong_value" });
    }
    expect(calls).toEqual([]);
  });
});

describe("refund", () => {
  const refund = createRefund(createCharge({ reference }), {
    refundId: "rfd_1",
    amountMinor: 2_000,
  });
  const paid = { "GET /transaction/verify/{}": () => transaction({ status: "success" }) };
  const posts = (calls: readonly { call: string }[]) =>
    calls.filter(({ call }) => call === "POST /refund").length;

  it("is requested in subunits, with our id in its note", async () => {
    const { provider, calls } = stubPaystack({
      ...paid,
      "GET /refund": () => success([]),
      "POST /refund": () => success({ status: "pending", merchant_note: "rfd_1" }),
    });
    expect(await provider.refund(refund)).toEqual({ type: "pending" });
    expect(calls[1]?.query).toBe("?transaction=4099260516&perPage=100&page=1");
    expect(calls[2]?.body).toEqual({
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
  ])("is not requested again when Paystack has it: %s is %j", async (status, result) => {
    const { provider, calls } = stubPaystack({
      ...paid,
      "GET /refund": () =>
        success([
          { status: "processed", merchant_note: null },
          { status, merchant_note: "rfd_1" },
        ]),
    });
    expect(await provider.refund(refund)).toMatchObject(result);
    expect(posts(calls)).toBe(0);
  });

  it("is looked for on the next page too", async () => {
    const others = Array.from({ length: 100 }, () => ({ status: "pending", merchant_note: "x" }));
    const { provider, calls } = stubPaystack({
      ...paid,
      "GET /refund": ({ query }) =>
        success(query.endsWith("=1") ? others : [{ status: "processed", merchant_note: "rfd_1" }]),
    });
    expect(await provider.refund(refund)).toEqual({ type: "refunded" });
    expect(posts(calls)).toBe(0);
  });

  it("happens once when its response is lost", async () => {
    const refunds: { status: string; merchant_note: unknown }[] = [];
    const { provider, calls } = stubPaystack({
      ...paid,
      "GET /refund": () => success(refunds),
      "POST /refund": ({ body }) => {
        refunds.push({ status: "pending", merchant_note: body.merchant_note });
        throw new TypeError("Network connection lost.");
      },
    });
    expect(await provider.refund(refund)).toEqual({ type: "no_answer" });
    expect(await provider.refund(refund)).toEqual({ type: "pending" });
    expect(posts(calls)).toBe(1);
  });

  it("is not requested while its list of refunds cannot be read", async () => {
    const { provider, calls } = stubPaystack({
      ...paid,
      "GET /refund": () => new Response("", { status: 500 }),
    });
    expect(await provider.refund(refund)).toEqual({ type: "no_answer" });
    expect(posts(calls)).toBe(0);
  });

  it("is declined for an unknown payment and when Paystack refuses", async () => {
    const unknown = stubPaystack({
      "GET /transaction/verify/{}": () => failure("Transaction reference not found", 404),
    });
    expect(await unknown.provider.refund(refund)).toMatchObject({ type: "declined" });
    const reversed = stubPaystack({
      ...paid,
      "GET /refund": () => success([]),
      "POST /refund": () => failure("Transaction has been fully reversed"),
    });
    expect(await reversed.provider.refund(refund)).toMatchObject({ type: "declined" });
  });
});
