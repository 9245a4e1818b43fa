import { describe, expect, it } from "vitest";
import type { RenewalRequest } from "../../shared/payments/index.ts";
import { createCharge } from "./create-charge.ts";
import { failure, stubPaystack, success } from "./paystack-stub.ts";

const paystackReference = (reference: string) => reference.replace("_", "-");

/** A renewal charge of a card; `fields` are what matters to the test. */
function createRenewal(fields: Partial<RenewalRequest> = {}): RenewalRequest {
  const charge = createCharge({ mobileMoney: null });
  const earlier = { earlierReference: createCharge().reference, earlierProviderReference: null };
  return { ...charge, ...earlier, page: null, ...fields };
}

const transaction = (reference: string, fields: object = {}) =>
  success({
    id: 1,
    reference: paystackReference(reference),
    status: "success",
    amount: 5_000,
    currency: "GHS",
    channel: "card",
    authorization: { authorization_code: "AUTH_abc", reusable: true },
    customer: { email: "card@example.com" },
    ...fields,
  });

/** Renews with this response of Paystack; returns the result and the calls. */
async function renewWithReply(
  renewal: RenewalRequest,
  data: Record<string, unknown> | Response,
  earlier: object = {},
) {
  const { provider, calls } = stubPaystack({
    [`GET /transaction/verify/${paystackReference(renewal.earlierReference)}`]: () =>
      transaction(renewal.earlierReference, earlier),
    "POST /transaction/charge_authorization": () =>
      data instanceof Response
        ? data
        : success({ reference: paystackReference(renewal.reference), ...data }),
    [`GET /transaction/verify/${paystackReference(renewal.reference)}`]: () =>
      transaction(renewal.reference),
  });
  return { result: await provider.chargeAgain?.(renewal), calls };
}

describe("a renewal through Paystack", () => {
  it("charges a card by the authorization of its earlier charge", async () => {
    const renewal = createRenewal();
    const { result, calls } = await renewWithReply(renewal, {
      status: "success",
      amount: 5_000,
      currency: "GHS",
    });
    expect(result).toEqual({ type: "captured", amountMinor: 5_000, currency: "GHS" });
    expect(calls.map(({ call }) => call)).toEqual([
      `GET /transaction/verify/${paystackReference(renewal.earlierReference)}`,
      "POST /transaction/charge_authorization",
    ]);
    expect(calls[1]?.body).toEqual({
      reference: paystackReference(renewal.reference),
      amount: 5_000,
      currency: "GHS",
      email: "card@example.com",
      authorization_code: "AUTH_abc",
      metadata: { order_id: renewal.orderId },
    });
  });

  it.each([
    [{ status: "failed" }, { type: "declined" }],
    [{ status: "pending" }, { type: "await" }],
    [{ status: "success" }, { type: "no_answer" }],
    [{ reference: "ref-another", status: "success" }, { type: "no_answer" }],
  ])("maps the response %j to %j", async (data, outcome) => {
    const { result } = await renewWithReply(createRenewal(), data);
    expect(result).toMatchObject(outcome);
  });

  it("returns the earlier charge of a used reference", async () => {
    const { result, calls } = await renewWithReply(
      createRenewal(),
      failure("Duplicate Transaction Reference"),
    );
    expect(result).toMatchObject({ type: "captured" });
    expect(calls).toHaveLength(3);
  });

  it("is declined when Paystack refuses it", async () => {
    const { result } = await renewWithReply(createRenewal(), failure("Invalid authorization"));
    expect(result).toMatchObject({ type: "declined" });
  });

  it.each([
    [{ authorization: { authorization_code: "AUTH_abc", reusable: false } }],
    [{ authorization: null }],
    [{ authorization: {} }],
  ])("does not charge a card without a reusable authorization: %j", async (earlier) => {
    const { result, calls } = await renewWithReply(createRenewal(), {}, earlier);
    expect(result).toMatchObject({ type: "declined" });
    expect(calls).toHaveLength(1);
  });

  it("returns no_answer while the earlier charge cannot be looked up", async () => {
    const { provider } = stubPaystack({ anything: () => new Response("", { status: 502 }) });
    expect(await provider.chargeAgain?.(createRenewal())).toEqual({ type: "no_answer" });
  });

  it("asks the phone again for mobile money", async () => {
    const mobileMoney = { phoneNumber: "+233551234987", provider: "mtn" };
    const renewal = createRenewal({ mobileMoney });
    const { provider, calls } = stubPaystack({
      "POST /charge": () =>
        success({ reference: paystackReference(renewal.reference), status: "pay_offline" }),
    });
    expect(await provider.chargeAgain?.(renewal)).toMatchObject({ type: "await" });
    expect(calls[0]?.body).toMatchObject({ mobile_money: { phone: "0551234987" } });
  });
});
