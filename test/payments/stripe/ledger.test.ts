import { beforeEach, describe, expect, it, vi } from "vitest";
import { checkStripeAccount, stripeLedger } from "../../../shared/payments/index.ts";
import { createCharge, createRefund } from "../create-charge.ts";
import { connectStripe, createStripe, lostResponse } from "./connect.ts";
import { createStripeAccount, stripeKey } from "./stand-in/account.ts";

const start = Date.parse("2030-05-01T12:00:00Z");

beforeEach(() => {
  vi.setSystemTime(start);
});

const createToken = () =>
  createCharge({ currency: "USD", mobileMoney: null, paymentToken: "pm_card_visa" });

describe("the books of a Stripe account", () => {
  it("list charges and refunds of a time in pages, by our ids where they are ours", async () => {
    const { account, connection, provider } = createStripe();
    const charges = Array.from({ length: 23 }, createToken);
    for (const charge of charges) await provider.charge(charge);
    const [first, second] = charges;
    if (!first || !second) throw new Error("There are no charges.");
    vi.setSystemTime(start + 120_000);
    const part = createRefund(first, { refundId: "rfd_1", amountMinor: 2_000 });
    await provider.refund(part);
    account.options.refundStatus = "pending";
    await provider.refund(createRefund(second, { refundId: "rfd_2" }));
    await provider.charge(createToken());
    const ledger = stripeLedger(connection);
    const query = { from: start, to: start + 60_000, cursor: null };
    const page = await ledger.listCharges(query);
    if (page.type !== "page") throw new Error("There is no answer.");
    expect(page.entries).toHaveLength(20);
    const rest = await ledger.listCharges({ ...query, cursor: page.next });
    if (rest.type !== "page") throw new Error("There is no answer.");
    expect(rest.next).toBeNull();
    const listed = [...page.entries, ...rest.entries];
    expect(new Set(listed.map(({ reference }) => reference))).toEqual(
      new Set(charges.map(({ reference }) => reference)),
    );
    const money = { amountMinor: 5_000, currency: "USD" };
    expect(await ledger.findCharge(first.reference)).toEqual({
      reference: first.reference,
      state: "returned",
      ...money,
    });
    expect(listed.find(({ reference }) => reference === charges[2]?.reference)).toMatchObject({
      state: "captured",
      ...money,
    });
    expect(await ledger.listRefunds({ ...query, to: start + 180_000 })).toEqual({
      type: "page",
      next: null,
      entries: [
        { id: "rfd_2", reference: second.reference, state: "pending", ...money },
        {
          id: "rfd_1",
          reference: first.reference,
          state: "refunded",
          ...money,
          amountMinor: 2_000,
        },
      ],
    });
    expect(await ledger.countRefunds({ id: "rfd_1", reference: first.reference })).toBe(1);
    expect(await ledger.countRefunds({ id: "rfd_3", reference: first.reference })).toBe(0);
    expect(await ledger.countRefunds({ id: "rfd_1", reference: "ref_x" })).toBe(0);
    expect(await ledger.findCharge("ref_x")).toBeNull();
  });

  it("have no answer while Stripe gives none", async () => {
    const { connection, faults } = createStripe();
    const ledger = stripeLedger(connection);
    const query = { from: start, to: start, cursor: null };
    faults.push(lostResponse, lostResponse, lostResponse, lostResponse);
    expect(await ledger.listCharges(query)).toEqual({ type: "no_answer" });
    expect(await ledger.listRefunds(query)).toEqual({ type: "no_answer" });
    expect(await ledger.findCharge("ref_x")).toBe("no_answer");
    expect(await ledger.countRefunds({ id: "rfd_1", reference: "ref_x" })).toBe("no_answer");
  });
});

describe("checking a Stripe account", () => {
  const credentials = {
    secretKey: stripeKey,
    publishableKey: "pk_test_0123456789",
    webhookSecret: "whsec_0123456789",
  };
  const check = (fields: Partial<typeof credentials> = {}, account = createStripeAccount()) => {
    const { connection } = connectStripe({ account });
    return checkStripeAccount({ ...credentials, ...fields }, connection);
  };

  it("accepts its keys, for cards in the currencies of its country", async () => {
    const currencies = expect.arrayContaining(["USD", "EUR", "UGX"]);
    expect(await check()).toEqual({ type: "accepted", methods: ["card"], currencies });
  });

  it.each<readonly [string, Partial<typeof credentials>]>([
    ["an unknown secret key", { secretKey: "sk_test_unknown" }],
    ["a publishable key in place of the secret one", { secretKey: "pk_test_0123456789" }],
    ["a secret key in place of the publishable one", { publishableKey: stripeKey }],
    ["keys of two modes", { publishableKey: "pk_live_0123456789" }],
    ["something else in place of the webhook's secret", { webhookSecret: "s3cr3t" }],
  ])("refuses %s, without a secret in the reason", async (_, fields) => {
    const result = await check(fields);
    expect(result).toMatchObject({ type: "refused" });
    for (const secret of Object.values({ ...credentials, ...fields })) {
      expect(JSON.stringify(result)).not.toContain(secret);
    }
  });

  it("refuses an account that takes no cards, and has no answer without Stripe's", async () => {
    const account = createStripeAccount();
    account.options.cardPaymentsActive = false;
    expect(await check({}, account)).toMatchObject({ type: "refused" });
    const { connection, faults } = connectStripe();
    faults.push(null, lostResponse);
    expect(await checkStripeAccount(credentials, connection)).toEqual({ type: "no_answer" });
  });
});
