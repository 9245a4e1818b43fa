import { beforeEach, describe, expect, it, vi } from "vitest";
import type { RenewalRequest } from "../../../shared/payments/index.ts";
import { createCharge } from "../create-charge.ts";
import { createStripe, lostResponse } from "./connect.ts";
import type { CardBehavior } from "./stand-in/records.ts";

const start = Date.parse("2030-05-01T12:00:00Z");
const minute = 60_000;
const month = 30 * 24 * 60 * minute;

beforeEach(() => {
  vi.setSystemTime(start);
});

const page = {
  returnUrls: { success: "https://shop.example/ok", cancel: null },
  origin: "https://duka.test",
};

/** A subscription whose first charge was paid on Stripe's page; returns its next charge. */
async function createRenewal({
  card = "pays",
  savesPayer = true,
  ...fields
}: Partial<RenewalRequest> & { card?: CardBehavior } = {}) {
  const stripe = createStripe();
  const first = createCharge({ currency: "USD", mobileMoney: null, savesPayer });
  const opened = await stripe.provider.charge(first);
  const id = "providerReference" in opened ? String(opened.providerReference) : "";
  stripe.account.payPage(id, card === "asks" ? "asks" : "pays");
  vi.setSystemTime(start + month);
  const renewal: RenewalRequest = {
    ...createCharge({ currency: "USD", mobileMoney: null, savesPayer: true }),
    earlierReference: first.reference,
    earlierProviderReference: id,
    page,
    ...fields,
  };
  return { stripe, renewal, renew: () => stripe.provider.chargeAgain?.(renewal) };
}

describe("a renewal through Stripe", () => {
  it.each([
    ["with the id of its earlier charge", {}],
    ["when that id was lost", { earlierProviderReference: null }],
  ])("charges the saved card, %s", async (_, fields) => {
    const { stripe, renew } = await createRenewal(fields);
    expect(await renew()).toMatchObject({
      type: "captured",
      amountMinor: 5_000,
      providerReference: expect.stringMatching(/^pi_/),
    });
    const form = Object.fromEntries(stripe.requests.at(-1)?.form ?? []);
    expect(form).toMatchObject({
      off_session: "true",
      confirm: "true",
      customer: expect.stringMatching(/^cus_/),
      payment_method: expect.stringMatching(/^pm_/),
      "automatic_payment_methods[allow_redirects]": "never",
    });
    expect(form).not.toHaveProperty("return_url");
  });

  it("charges once when its response was lost", async () => {
    const { stripe, renewal, renew } = await createRenewal();
    stripe.faults.push(null, lostResponse);
    expect(await renew()).toEqual({ type: "no_answer" });
    expect(await renew()).toMatchObject({ type: "captured" });
    vi.setSystemTime(Date.now() + 2 * minute);
    expect(await stripe.provider.verify(renewal.reference)).toMatchObject({ type: "captured" });
    expect(stripe.account.intents.size).toBe(2);
  });

  it("opens a page when the bank asks the customer, and is paid on it", async () => {
    const { stripe, renewal, renew } = await createRenewal({ card: "asks" });
    const opened = await renew();
    expect(opened).toMatchObject({
      type: "redirect",
      providerReference: expect.stringMatching(/^cs_test_/),
    });
    expect(await renew()).toEqual(opened);
    const providerReference =
      opened && "providerReference" in opened ? String(opened.providerReference) : "";
    const verify = () => stripe.provider.verify(renewal.reference, { providerReference });
    expect(await verify()).toMatchObject({ type: "redirect" });
    stripe.account.payPage(providerReference);
    expect(await verify()).toMatchObject({ type: "captured" });
    vi.setSystemTime(Date.now() + 2 * minute);
    // Of the declined intent and the page's, the search returns the paid one.
    expect(await stripe.provider.verify(renewal.reference)).toMatchObject({ type: "captured" });
  });

  it.each([
    ["the bank asks the customer and no page can be opened", { card: "asks", page: null }],
    ["no card was saved", { savesPayer: false }],
    [
      "Stripe does not know the earlier charge",
      { earlierReference: "ref_x", earlierProviderReference: null },
    ],
  ] as const)("is declined when %s", async (_, fields) => {
    const { renew } = await createRenewal(fields);
    expect(await renew()).toMatchObject({ type: "declined" });
  });

  it("is not available for mobile money, and has no answer without the earlier charge", async () => {
    const { stripe, renewal, renew } = await createRenewal();
    const mobileMoney = { phoneNumber: "+233551234987", provider: "mtn" };
    expect(await stripe.provider.chargeAgain?.({ ...renewal, mobileMoney })).toEqual({
      type: "unavailable",
      reason: "method",
    });
    stripe.faults.push(lostResponse);
    expect(await renew()).toEqual({ type: "no_answer" });
  });
});
