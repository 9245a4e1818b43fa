import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { sandboxCards, sandboxProvider } from "../../shared/payments/index.ts";
import { createCharge, createRefund } from "./create-charge.ts";

const db = () => openDb(env.SHOP_1, createMeter());
const sandbox = () =>
  sandboxProvider(db(), {
    now: () => 1_000,
    cardPageUrl: ({ origin, reference }) => `${origin}/page/${reference}`,
  });

async function createCapturedCharge() {
  const charge = createCharge();
  expect(await sandbox().charge(charge)).toMatchObject({ type: "captured" });
  return charge;
}

const loadRefund = async (reference: string) => {
  const row = await env.SHOP_1.prepare(
    "select status, refunded_minor from sandbox_charges where reference = ?",
  )
    .bind(reference)
    .first();
  return row && [row.status, row.refunded_minor];
};

describe("a sandbox refund", () => {
  it("refunds a whole charge", async () => {
    const charge = await createCapturedCharge();
    expect(await sandbox().refund(createRefund(charge))).toEqual({ type: "refunded" });
    expect(await loadRefund(charge.reference)).toEqual(["refunded", 5_000]);
  });

  it("refunds once per refund id, even concurrently", async () => {
    const charge = await createCapturedCharge();
    const refund = createRefund(charge, { amountMinor: 2_000 });
    const answers = await Promise.all([sandbox().refund(refund), sandbox().refund(refund)]);
    answers.push(await sandbox().refund(refund));
    expect(answers).toEqual(Array(3).fill({ type: "refunded" }));
    expect(await loadRefund(charge.reference)).toEqual(["captured", 2_000]);
  });

  it("refunds in parts, and never more than was charged", async () => {
    const charge = await createCapturedCharge();
    const part = (refundId: string, amountMinor: number) =>
      sandbox().refund(
        createRefund(charge, { refundId: refundId + charge.reference, amountMinor }),
      );
    expect(await part("a", 3_000)).toEqual({ type: "refunded" });
    expect(await part("b", 2_001)).toMatchObject({ type: "declined" });
    const last = await Promise.all([part("c", 2_000), part("d", 2_000)]);
    expect(last.map(({ type }) => type).sort()).toEqual(["declined", "refunded"]);
    expect(await loadRefund(charge.reference)).toEqual(["refunded", 5_000]);
  });

  it.each([
    { what: "an unknown payment", fields: { reference: "ref_none" } },
    { what: "another currency", fields: { currency: "NGN" } },
    { what: "nothing", fields: { amountMinor: 0 } },
  ])("declines $what", async ({ fields }) => {
    const charge = await createCapturedCharge();
    expect(await sandbox().refund(createRefund(charge, fields))).toMatchObject({
      type: "declined",
    });
    expect(await loadRefund(charge.reference)).toEqual(["captured", 0]);
  });

  it("declines a payment that was not captured, and a used refund id", async () => {
    const waiting = createCharge({
      mobileMoney: { phoneNumber: "+233241234561", provider: "mtn" },
    });
    await sandbox().charge(waiting);
    expect(await sandbox().refund(createRefund(waiting))).toMatchObject({ type: "declined" });
    const charge = await createCapturedCharge();
    const refund = createRefund(charge, { amountMinor: 1_000 });
    await sandbox().refund(refund);
    expect(await sandbox().refund({ ...refund, amountMinor: 500 })).toMatchObject({
      type: "declined",
    });
  });
});

describe("a phone that must confirm", () => {
  it("is confirmed when the shopper verifies, not by the service's own check", async () => {
    const charge = createCharge({ mobileMoney: { phoneNumber: "+233241234562", provider: "mtn" } });
    expect(await sandbox().charge(charge)).toMatchObject({ type: "await" });
    expect(await sandbox().verify(charge.reference)).toMatchObject({ type: "await" });
    expect(await sandbox().charge(charge)).toMatchObject({ type: "await" });
    expect(await sandbox().verify(charge.reference, { requestedBy: "shopper" })).toMatchObject({
      type: "captured",
    });
    expect(await sandbox().verify(charge.reference)).toMatchObject({ type: "captured" });
  });
});

describe("a sandbox card", () => {
  const card = () =>
    createCharge({
      mobileMoney: null,
      returnUrls: { success: "https://shop.example/thanks", cancel: null },
    });

  it("redirects to its page, also when it is charged or verified again", async () => {
    const charge = card();
    const redirect = {
      type: "redirect",
      authorizationUrl: `https://duka.test/page/${charge.reference}`,
    };
    expect(await sandbox().charge(charge)).toEqual(redirect);
    expect(await sandbox().charge(charge)).toEqual(redirect);
    expect(await sandbox().verify(charge.reference)).toEqual(redirect);
    expect(await sandboxCards(db()).find(charge.reference)).toEqual({
      orderId: charge.orderId,
      amountMinor: 5_000,
      currency: "GHS",
      state: "waiting",
      returnUrls: { success: "https://shop.example/thanks", cancel: null },
    });
  });

  it("keeps the first of two decisions", async () => {
    const charge = card();
    await sandbox().charge(charge);
    const cards = sandboxCards(db());
    expect(await cards.decide(charge.reference, "decline")).toMatchObject({ state: "declined" });
    expect(await cards.decide(charge.reference, "approve")).toMatchObject({ state: "declined" });
    expect(await sandbox().verify(charge.reference)).toMatchObject({ type: "declined" });
  });

  it("has no page for a phone charge or an unknown reference", async () => {
    const phone = createCharge({ mobileMoney: { phoneNumber: "+233241234562", provider: "mtn" } });
    await sandbox().charge(phone);
    const cards = sandboxCards(db());
    expect(await cards.find(phone.reference)).toBeNull();
    expect(await cards.decide(phone.reference, "approve")).toBeNull();
    expect(await cards.find("ref_none")).toBeNull();
  });
});
