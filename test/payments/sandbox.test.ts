import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { openDb } from "../../shared/database/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";
import { sandboxCards, sandboxProvider } from "../../shared/payments/index.ts";
import { givenCharge, givenRefund } from "./given.ts";

const db = () => openDb(env.SHOP_1, createMeter());
const sandbox = () =>
  sandboxProvider(db(), {
    now: () => 1_000,
    pageOf: ({ origin, reference }) => `${origin}/page/${reference}`,
  });

async function captured() {
  const charge = givenCharge();
  expect(await sandbox().charge(charge)).toMatchObject({ type: "captured" });
  return charge;
}

const refundedOf = async (reference: string) => {
  const row = await env.SHOP_1.prepare(
    "select status, refunded_minor from sandbox_charges where reference = ?",
  )
    .bind(reference)
    .first();
  return row && [row.status, row.refunded_minor];
};

describe("a refund by the sandbox", () => {
  it("gives all of a charge back", async () => {
    const charge = await captured();
    expect(await sandbox().refund(givenRefund(charge))).toEqual({ type: "refunded" });
    expect(await refundedOf(charge.reference)).toEqual(["refunded", 5_000]);
  });

  it("gives back once under one id, however often it is asked and by how many at once", async () => {
    const charge = await captured();
    const refund = givenRefund(charge, { amountMinor: 2_000 });
    const answers = await Promise.all([sandbox().refund(refund), sandbox().refund(refund)]);
    answers.push(await sandbox().refund(refund));
    expect(answers).toEqual(Array(3).fill({ type: "refunded" }));
    expect(await refundedOf(charge.reference)).toEqual(["captured", 2_000]);
  });

  it("gives back in parts, and never more than was charged", async () => {
    const charge = await captured();
    const part = (refundId: string, amountMinor: number) =>
      sandbox().refund(givenRefund(charge, { refundId: refundId + charge.reference, amountMinor }));
    expect(await part("a", 3_000)).toEqual({ type: "refunded" });
    expect(await part("b", 2_001)).toMatchObject({ type: "declined" });
    const last = await Promise.all([part("c", 2_000), part("d", 2_000)]);
    expect(last.map(({ type }) => type).sort()).toEqual(["declined", "refunded"]);
    expect(await refundedOf(charge.reference)).toEqual(["refunded", 5_000]);
  });

  it.each([
    { what: "an unknown payment", fields: { reference: "ref_none" } },
    { what: "another currency", fields: { currency: "NGN" } },
    { what: "nothing", fields: { amountMinor: 0 } },
  ])("declines $what", async ({ fields }) => {
    const charge = await captured();
    expect(await sandbox().refund(givenRefund(charge, fields))).toMatchObject({ type: "declined" });
    expect(await refundedOf(charge.reference)).toEqual(["captured", 0]);
  });

  it("declines a payment that was never captured, and an id that was another refund's", async () => {
    const waiting = givenCharge({ mobileMoney: { phoneNumber: "+233241234561", provider: "mtn" } });
    await sandbox().charge(waiting);
    expect(await sandbox().refund(givenRefund(waiting))).toMatchObject({ type: "declined" });
    const charge = await captured();
    const refund = givenRefund(charge, { amountMinor: 1_000 });
    await sandbox().refund(refund);
    expect(await sandbox().refund({ ...refund, amountMinor: 500 })).toMatchObject({
      type: "declined",
    });
  });
});

describe("a phone that the sandbox asks to confirm", () => {
  it("is confirmed when the shopper verifies, and by nobody else's question", async () => {
    const charge = givenCharge({ mobileMoney: { phoneNumber: "+233241234562", provider: "mtn" } });
    expect(await sandbox().charge(charge)).toMatchObject({ type: "await" });
    expect(await sandbox().verify(charge.reference)).toMatchObject({ type: "await" });
    expect(await sandbox().charge(charge)).toMatchObject({ type: "await" });
    expect(await sandbox().verify(charge.reference, "shopper")).toMatchObject({ type: "captured" });
    expect(await sandbox().verify(charge.reference)).toMatchObject({ type: "captured" });
  });
});

describe("a card of the sandbox", () => {
  const card = () =>
    givenCharge({
      mobileMoney: null,
      returnUrls: { success: "https://shop.example/thanks", cancel: null },
    });

  it("sends the shopper to its page, and stays so however often it is asked", async () => {
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

  it("has no page for a phone's charge, nor for a reference that nobody was given", async () => {
    const phone = givenCharge({ mobileMoney: { phoneNumber: "+233241234562", provider: "mtn" } });
    await sandbox().charge(phone);
    const cards = sandboxCards(db());
    expect(await cards.find(phone.reference)).toBeNull();
    expect(await cards.decide(phone.reference, "approve")).toBeNull();
    expect(await cards.find("ref_none")).toBeNull();
  });
});
