import { describe, expect, inject, it } from "vitest";
import { chance } from "../../functions/runtime/runtime.ts";
import { newToken } from "../../shared/kernel/index.ts";
import {
  type ChargeRequest,
  type PaymentProvider,
  paystackProvider,
} from "../../shared/payments/index.ts";
import { givenCharge, givenRefund } from "./given.ts";
import { secretKey } from "./paystack-stand-in.ts";

/** The adapter with the runtime's own fetch, over a real connection to a Paystack that keeps books. */
function over(path = "", timeoutMs = 10_000): PaymentProvider {
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
  givenCharge({
    reference: `ref_${newToken(chance.random)}`,
    mobileMoney: { phoneNumber: `+23324123456${lastDigit}`, provider: "mtn" },
    ...fields,
  });

const captured = { type: "captured", amountMinor: 5_000, currency: "GHS" } as const;
const asksFor = (authorizationType: string) => ({ type: "authorization", authorizationType });

describe("Paystack over a real connection", () => {
  it("takes mobile money at once, and gives it back in parts, each once", async () => {
    const provider = over();
    const charge = byPhone("0", { email: null });
    expect(await provider.charge(charge)).toEqual(captured);
    expect(await provider.verify(charge.reference)).toEqual(captured);
    const part = givenRefund(charge, { amountMinor: 2_000 });
    expect(await provider.refund(part)).toEqual({ type: "pending" });
    expect(await provider.refund(part)).toEqual({ type: "pending" }); // known by its note
    const rest = givenRefund(charge, { amountMinor: 3_000, refundId: "rfd_rest" });
    expect(await provider.refund(rest)).toEqual({ type: "pending" });
    const more = givenRefund(charge, { amountMinor: 1, refundId: "rfd_more" });
    expect(await provider.refund(more)).toMatchObject({ type: "declined" });
  });

  it("asks for a code, and takes the right one only", async () => {
    const provider = over();
    const { reference, ...charge } = byPhone("1");
    expect(await provider.charge({ reference, ...charge })).toMatchObject(asksFor("otp"));
    const code = (value: string) => provider.authorize({ reference, type: "otp", value });
    expect(await code("000000")).toEqual({ type: "wrong_value" });
    expect(await code("123456")).toEqual(captured);
    expect(await code("123456")).toEqual(captured); // it was paid meanwhile
  });

  it("asks for PIN, phone and birthday, one after the other", async () => {
    const provider = over();
    const { reference, ...charge } = byPhone("4");
    expect(await provider.charge({ reference, ...charge })).toMatchObject(asksFor("pin"));
    expect(await provider.authorize({ reference, type: "pin", value: "1234" })).toMatchObject(
      asksFor("phone"),
    );
    const phone = { reference, type: "phone", value: "0241234564" } as const;
    expect(await provider.authorize(phone)).toMatchObject(asksFor("birthday"));
    expect(await provider.verify(reference)).toMatchObject(asksFor("birthday"));
    const birthday = { reference, type: "birthday", value: "1990-12-31" } as const;
    expect(await provider.authorize(birthday)).toEqual(captured);
  });

  it("waits for a phone, declines, sends a card to its page, and knows no stranger", async () => {
    const provider = over();
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
  it("is no answer, and neither charged nor given back twice", async () => {
    const [faulty, sound] = [over(`/${fault}`, 300), over()];
    const charge = byPhone("0");
    expect(await faulty.charge(charge)).toEqual({ type: "no_answer" });
    expect(await sound.verify(charge.reference)).toEqual(captured);
    expect(await sound.charge(charge)).toEqual(captured); // the reference was used: that charge, as it stands
    const refund = givenRefund(charge, { refundId: `rfd_${fault}` });
    expect(await faulty.refund(refund)).toEqual({ type: "no_answer" });
    expect(await sound.refund(refund)).toEqual({ type: "pending" });
    expect(await sound.refund({ ...refund, refundId: "rfd_other" })).toMatchObject({
      type: "declined",
    });
  });

  it("is given back in parts, each once, when the refund's own answer is lost as well", async () => {
    const [faulty, sound] = [over(`/${fault}-refund`, 800), over()];
    const charge = byPhone("0");
    expect(await sound.charge(charge)).toEqual(captured);
    const refundId = `rfd_part_${fault}`;
    const part = givenRefund(charge, { amountMinor: 2_000, refundId });
    expect(await faulty.refund(part)).toEqual({ type: "no_answer" });
    expect(await sound.refund(part)).toEqual({ type: "pending" }); // that one, by its note
    const rest = { ...part, amountMinor: 3_000, refundId: `rfd_rest_${fault}` };
    expect(await faulty.refund(rest)).toEqual({ type: "no_answer" });
    expect(await faulty.refund(rest)).toEqual({ type: "pending" });
    expect(await sound.refund({ ...part, amountMinor: 1, refundId: "rfd_more" })).toMatchObject({
      type: "declined",
    });
  });
});
