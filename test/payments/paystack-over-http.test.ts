import { describe, expect, inject, it } from "vitest";
import { runtime } from "../../functions/runtime/runtime.ts";
import { generateToken } from "../../shared/kernel/index.ts";
import {
  type ChargeRequest,
  type PaymentProvider,
  paystackProvider,
} from "../../shared/payments/index.ts";
import { createCharge, createRefund } from "./create-charge.ts";
import { secretKey } from "./paystack-stub.ts";

/**
 * The adapter with the runtime's own fetch, connected to the Paystack server of paystack-server.ts.
 */
function createProvider(path = "", timeoutMs = 10_000): PaymentProvider {
  return paystackProvider({
    secretKey,
    baseUrl: inject("paystack") + path,
    emailDomain: "no-reply.example.com",
    fetch: (url, init) => fetch(url, init),
    timeoutMs,
    report: () => {},
    alert: () => {},
  });
}

const byPhone = (lastDigit: string, fields: Partial<ChargeRequest> = {}) =>
  createCharge({
    reference: `ref_${generateToken(runtime.randomBytes)}`,
    mobileMoney: { phoneNumber: `+23324123456${lastDigit}`, provider: "mtn" },
    ...fields,
  });

const captured = { type: "captured", amountMinor: 5_000, currency: "GHS" } as const;
const challenge = (authorizationType: string) => ({ type: "authorization", authorizationType });

describe("Paystack over a real connection", () => {
  it("captures mobile money and refunds it in parts, each once", async () => {
    const provider = createProvider();
    const charge = byPhone("0", { email: null });
    expect(await provider.charge(charge)).toEqual(captured);
    expect(await provider.verify(charge.reference)).toEqual(captured);
    const part = createRefund(charge, { amountMinor: 2_000 });
    expect(await provider.refund(part)).toEqual({ type: "pending" });
    expect(await provider.refund(part)).toEqual({ type: "pending" }); // recognised by its note
    const rest = createRefund(charge, { amountMinor: 3_000, refundId: "rfd_rest" });
    expect(await provider.refund(rest)).toEqual({ type: "pending" });
    const more = createRefund(charge, { amountMinor: 1, refundId: "rfd_more" });
    expect(await provider.refund(more)).toMatchObject({ type: "declined" });
  });

  it("asks for a code and accepts only the correct one", async () => {
    const provider = createProvider();
    const { reference, ...charge } = byPhone("1");
    expect(await provider.charge({ reference, ...charge })).toMatchObject(challenge("otp"));
    const code = (value: string) => provider.authorize({ reference, type: "otp", value });
    expect(await code("000000")).toEqual({ type: "wrong_value" });
    expect(await code("123456")).toEqual(captured);
    expect(await code("123456")).toEqual(captured); // the charge has been captured
  });

  it("asks for PIN, phone and birthday in sequence", async () => {
    const provider = createProvider();
    const { reference, ...charge } = byPhone("4");
    expect(await provider.charge({ reference, ...charge })).toMatchObject(challenge("pin"));
    expect(await provider.authorize({ reference, type: "pin", value: "1234" })).toMatchObject(
      challenge("phone"),
    );
    const phone = { reference, type: "phone", value: "0241234564" } as const;
    expect(await provider.authorize(phone)).toMatchObject(challenge("birthday"));
    expect(await provider.verify(reference)).toMatchObject(challenge("birthday"));
    const birthday = { reference, type: "birthday", value: "1990-12-31" } as const;
    expect(await provider.authorize(birthday)).toEqual(captured);
  });

  it("waits for a phone, declines, redirects a card, and reports an unknown reference", async () => {
    const provider = createProvider();
    const onPhone = byPhone("2");
    expect(await provider.charge(onPhone)).toMatchObject({ type: "await" });
    expect(await provider.verify(onPhone.reference)).toMatchObject({ type: "await" });
    expect(await provider.charge(byPhone("3"))).toMatchObject({ type: "declined" });
    const card = byPhone("0", { mobileMoney: null });
    expect(await provider.charge(card)).toMatchObject({
      type: "redirect",
      authorizationUrl: expect.stringMatching(/^https:\/\/checkout\.paystack\.com\//),
    });
    expect(await provider.verify(card.reference)).toEqual({ type: "open" });
    expect(await provider.verify(byPhone("0").reference)).toEqual({ type: "unknown" });
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
    const [faulty, sound] = [createProvider(`/${fault}`, 300), createProvider()];
    const charge = byPhone("0");
    expect(await faulty.charge(charge)).toEqual({ type: "no_answer" });
    expect(await sound.verify(charge.reference)).toEqual(captured);
    expect(await sound.charge(charge)).toEqual(captured); // returns the earlier charge of this reference
    const refund = createRefund(charge, { refundId: `rfd_${fault}` });
    expect(await faulty.refund(refund)).toEqual({ type: "no_answer" });
    expect(await sound.refund(refund)).toEqual({ type: "pending" });
    expect(await sound.refund({ ...refund, refundId: "rfd_other" })).toMatchObject({
      type: "declined",
    });
  });

  it("is refunded in parts, each once, when the refund's response is lost as well", async () => {
    const [faulty, sound] = [createProvider(`/${fault}-refund`, 800), createProvider()];
    const charge = byPhone("0");
    expect(await sound.charge(charge)).toEqual(captured);
    const refundId = `rfd_part_${fault}`;
    const part = createRefund(charge, { amountMinor: 2_000, refundId });
    expect(await faulty.refund(part)).toEqual({ type: "no_answer" });
    expect(await sound.refund(part)).toEqual({ type: "pending" }); // the same refund, recognised by its note
    const rest = { ...part, amountMinor: 3_000, refundId: `rfd_rest_${fault}` };
    expect(await faulty.refund(rest)).toEqual({ type: "no_answer" });
    expect(await faulty.refund(rest)).toEqual({ type: "pending" });
    expect(await sound.refund({ ...part, amountMinor: 1, refundId: "rfd_more" })).toMatchObject({
      type: "declined",
    });
  });
});
