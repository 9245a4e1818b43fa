import { describe, expect, it } from "vitest";
import type { RenewalRequest } from "../../shared/payments/index.ts";
import { givenCharge } from "./given.ts";
import { paystack, refused, said } from "./paystack-stand-in.ts";

const paystacks = (reference: string) => reference.replace("_", "-");

/** A charge of a card that has paid before; `fields` are what matters to the test. */
function givenRenewal(fields: Partial<RenewalRequest> = {}): RenewalRequest {
  const { returnUrls: _, origin: __, ...charge } = givenCharge({ mobileMoney: null });
  return { ...charge, earlierReference: givenCharge().reference, ...fields };
}

const transaction = (reference: string, fields: object = {}) =>
  said({
    id: 1,
    reference: paystacks(reference),
    status: "success",
    amount: 5_000,
    currency: "GHS",
    channel: "card",
    authorization: { authorization_code: "AUTH_abc", reusable: true },
    customer: { email: "card@example.com" },
    ...fields,
  });

/** What a renewal comes to when Paystack answers it like this, and what it was asked. */
async function renewed(
  renewal: RenewalRequest,
  data: Record<string, unknown> | Response,
  earlier: object = {},
) {
  const { provider, asked } = paystack({
    [`GET /transaction/verify/${paystacks(renewal.earlierReference)}`]: () =>
      transaction(renewal.earlierReference, earlier),
    "POST /transaction/charge_authorization": () =>
      data instanceof Response ? data : said({ reference: paystacks(renewal.reference), ...data }),
    [`GET /transaction/verify/${paystacks(renewal.reference)}`]: () =>
      transaction(renewal.reference),
  });
  return { result: await provider.chargeAgain?.(renewal), asked };
}

describe("a renewal over Paystack", () => {
  it("charges a card by the authorization of its earlier charge, under our reference", async () => {
    const renewal = givenRenewal();
    const { result, asked } = await renewed(renewal, {
      status: "success",
      amount: 5_000,
      currency: "GHS",
    });
    expect(result).toEqual({ type: "captured", amountMinor: 5_000, currency: "GHS" });
    expect(asked.map(({ call }) => call)).toEqual([
      `GET /transaction/verify/${paystacks(renewal.earlierReference)}`,
      "POST /transaction/charge_authorization",
    ]);
    expect(asked[1]?.body).toEqual({
      reference: paystacks(renewal.reference),
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
  ])("that is answered by %j comes to %j", async (data, outcome) => {
    const { result } = await renewed(givenRenewal(), data);
    expect(result).toMatchObject(outcome);
  });

  it("of a reference that was used is that earlier charge, as it stands", async () => {
    const { result, asked } = await renewed(
      givenRenewal(),
      refused("Duplicate Transaction Reference"),
    );
    expect(result).toMatchObject({ type: "captured" });
    expect(asked).toHaveLength(3);
  });

  it("that is refused is declined", async () => {
    const { result } = await renewed(givenRenewal(), refused("Invalid authorization"));
    expect(result).toMatchObject({ type: "declined" });
  });

  it.each([
    [{ authorization: { authorization_code: "AUTH_abc", reusable: false } }],
    [{ authorization: null }],
    [{ authorization: {} }],
  ])("asks for nothing where the card gave no leave: %j", async (earlier) => {
    const { result, asked } = await renewed(givenRenewal(), {}, earlier);
    expect(result).toMatchObject({ type: "declined" });
    expect(asked).toHaveLength(1);
  });

  it("has no answer while Paystack does not tell of the earlier charge", async () => {
    const { provider } = paystack({ anything: () => new Response("", { status: 502 }) });
    expect(await provider.chargeAgain?.(givenRenewal())).toEqual({ type: "no_answer" });
  });

  it("asks the phone of mobile money, which gives no leave for good", async () => {
    const mobileMoney = { phoneNumber: "+233551234987", provider: "mtn" };
    const renewal = givenRenewal({ mobileMoney });
    const { provider, asked } = paystack({
      "POST /charge": () =>
        said({ reference: paystacks(renewal.reference), status: "pay_offline" }),
    });
    expect(await provider.chargeAgain?.(renewal)).toMatchObject({ type: "await" });
    expect(asked[0]?.body).toMatchObject({ mobile_money: { phone: "0551234987" } });
  });
});
