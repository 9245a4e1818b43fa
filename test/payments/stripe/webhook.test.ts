import { describe, expect, it } from "vitest";
import { createStripeDisputes, parseStripeWebhook } from "../../../shared/payments/index.ts";
import { createCharge } from "../create-charge.ts";
import { createStripe } from "./connect.ts";
import { signStripeWebhook } from "./sign-webhook.ts";

const secret = "whsec_0123456789abcdef";
const now = Date.parse("2030-05-01T12:00:00Z");

const eventOf = (type: string, object: object) => JSON.stringify({ type, data: { object } });
const intent = { id: "pi_1", metadata: { payment_reference: "ref_1" } };
const paid = eventOf("payment_intent.succeeded", intent);

async function parse(text: string, signature: string | null = null, at = now) {
  const body = await new Response(text).arrayBuffer();
  const signed = signature ?? (await signStripeWebhook(text, { secret, now }));
  return parseStripeWebhook({ body, signature: signed, secret, now: at });
}

describe("a webhook from Stripe", () => {
  const session = { id: "cs_1", client_reference_id: "ref_1", amount_total: 1 };
  const ofSession = { type: "charge", reference: "ref_1", providerReference: "cs_1" };
  const ofIntent = { type: "charge", reference: "ref_1", providerReference: "pi_1" };
  const refund = { id: "re_1", metadata: { payment_reference: "ref_1", refund_id: "rfd_1" } };
  const ofRefund = { type: "refund", reference: "ref_1" };
  const ofDispute = { type: "dispute", disputeId: "dp_1" };

  it.each<readonly [string, object, object]>([
    ["checkout.session.completed", session, ofSession],
    ["checkout.session.expired", session, ofSession],
    ["checkout.session.async_payment_succeeded", session, ofSession],
    ["checkout.session.async_payment_failed", session, ofSession],
    ["payment_intent.succeeded", intent, ofIntent],
    ["payment_intent.payment_failed", intent, ofIntent],
    ["charge.refunded", refund, ofRefund],
    ["charge.refund.updated", refund, ofRefund],
    ["refund.failed", refund, ofRefund],
    ["charge.dispute.created", { id: "dp_1" }, ofDispute],
    ["charge.dispute.closed", { id: "dp_1" }, ofDispute],
  ])("%s names what to ask about", async (event, object, webhook) => {
    expect(await parse(eventOf(event, object))).toEqual({ ...webhook, event });
  });

  it.each([
    eventOf("payment_intent.succeeded", { id: "pi_1", metadata: {} }),
    eventOf("checkout.session.completed", { id: "cs_1", client_reference_id: null }),
    eventOf("payout.paid", { id: "po_1" }),
    eventOf("charge.dispute.created", {}),
    "[]",
    "{",
    "",
  ])("is accepted without a use for it: %s", async (text) => {
    expect(await parse(text)).toEqual({ type: "other" });
  });
});

describe("the signature of a webhook", () => {
  const at = Math.floor(now / 1_000);

  it("is right under one of the secrets while they are rotated", async () => {
    const right = await signStripeWebhook(paid, { secret, now });
    const wrong = await signStripeWebhook(paid, { secret: "whsec_old", now });
    const both = `${wrong},${right.split(",")[1]}`;
    expect(await parse(paid, both)).toMatchObject({ type: "charge" });
    expect(await parse(paid, `${right},v0=abc`)).toMatchObject({ type: "charge" });
    expect(await parse(paid, wrong)).toBeNull();
  });

  it("is wrong for other bytes, another time, or nothing at all", async () => {
    const right = await signStripeWebhook(paid, { secret, now });
    const [, v1 = ""] = right.split("v1=");
    expect(await parse(`${paid} `, right)).toBeNull();
    expect(await parse(paid, `t=${at + 1},v1=${v1}`)).toBeNull();
    for (const header of ["", "t=", `v1=${v1}`, `t=${at}`, `t=${at},v1=zz`, `t=x,v1=${v1}`]) {
      expect(await parse(paid, header), header).toBeNull();
    }
    expect(await parse(paid, `t=${at},v0=${v1}`)).toBeNull();
  });

  it("is valid for 5 minutes", async () => {
    const signature = await signStripeWebhook(paid, { secret, now });
    const minutes = (count: number) => now + count * 60_000;
    expect(await parse(paid, signature, minutes(5))).toMatchObject({ type: "charge" });
    expect(await parse(paid, signature, minutes(5) + 1)).toBeNull();
    expect(await parse(paid, signature, minutes(-6))).toBeNull();
  });
});

describe("a dispute at Stripe", () => {
  it("is returned as it is now, with our reference", async () => {
    const { account, connection, provider } = createStripe();
    const charge = createCharge({ currency: "UGX", mobileMoney: null });
    await provider.charge({ ...charge, paymentToken: "pm_card_visa" });
    const [id = ""] = account.intents.keys();
    const { id: disputeId, created } = account.dispute(id);
    const findDispute = createStripeDisputes(connection);
    expect(await findDispute(disputeId)).toEqual({
      reference: charge.reference,
      dispute: {
        ...{ id: disputeId, status: "needs_response", reason: "fraudulent" },
        ...{ amountMinor: 5_000, currency: "UGX" },
        ...{ dueBy: (created + 604_800) * 1_000, openedAt: created * 1_000 },
      },
    });
    account.dispute(id, { status: "appeal_under_review", evidence_details: { due_by: null } });
    expect(await findDispute(disputeId)).toMatchObject({
      dispute: { status: "under_review", dueBy: null },
    });
    account.dispute(id, { status: "a_status_of_next_year" });
    expect(await findDispute(disputeId)).toBeNull();
    expect(await findDispute("dp_unknown")).toBeNull();
  });
});
