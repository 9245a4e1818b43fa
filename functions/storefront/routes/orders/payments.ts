import { z } from "@hono/zod-openapi";
import { businessRepo } from "../../../../shared/businesses/index.ts";
import { openDb, shardsOf, shopOf } from "../../../../shared/database/index.ts";
import { createMeter, notFound, unavailable } from "../../../../shared/kernel/index.ts";
import { orderRepo, verifiedPayment } from "../../../../shared/orders/index.ts";
import {
  findPaymentOwner,
  type PaystackNotice,
  readPaystackNotice,
  sandboxCards,
} from "../../../../shared/payments/index.ts";
import type { RequestContext } from "../../../http/api-env.ts";
import { area } from "../../../http/app.ts";
import type { OwnAccess } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { unauthorized } from "../../../http/errors.ts";
import { jsonBody } from "../../../http/json/json-body.ts";
import { log } from "../../../runtime/log.ts";
import { sandboxCardPath } from "../../../runtime/payment-providers.ts";
import { orderContextIn } from "../../order-context.ts";
import { nextOf, sandboxCardHeaders, sandboxCardPage } from "../../pages/sandbox-card.ts";

/**
 * What payment providers and their shoppers call, without a key of ours: Paystack's webhook, which
 * bears a signature, and the sandbox's page for cards, whose address nobody can guess.
 */
export const payments = area();

const webhookPath = "/payments/providers/paystack/webhook";

const paystacksOwn: OwnAccess = {
  kind: "own",
  security: [{ paystackSignature: [] }],
  answersOf: null, // a notice is told again and again, and changes what stands once
  demand: (_, next) => next(),
};

/**
 * For the document alone: the signature is of the raw bytes, and whatever Paystack signed is taken, so
 * that it is not told again for days.
 */
const { middleware: _, ...webhookRow } = contract("post", webhookPath, {
  summary: "For Paystack: something is new of a payment, of which it is then asked",
  access: paystacksOwn,
  body: json(
    z.object({
      event: z.string().openapi({ example: "charge.success" }),
      data: z
        .object({ reference: z.string().optional(), transaction_reference: z.string().optional() })
        .openapi({
          description: "A charge's reference, or that of the charge which a refund is of.",
        }),
    }),
  ),
  answer: z.null(),
});
payments.openAPIRegistry.registerPath(webhookRow);

payments.post(webhookPath, jsonBody, async (c) => {
  const { paystack } = c.get("settings");
  if (!paystack) throw notFound("call");
  const signature = c.req.header("x-paystack-signature") ?? "";
  const { secretKey } = paystack;
  const notice = await readPaystackNotice(await c.req.arrayBuffer(), { signature, secretKey });
  if (notice === null) throw unauthorized("The signature is missing or wrong.");
  if (notice.type !== "other") await hear(c, notice);
  return c.json(answer(null), 200);
});

payments.get(sandboxCardPath, async (c) => {
  const { ctx, paid, card } = await sandboxCardOf(c, c.req.param());
  const { name: businessName } = ctx.business;
  const page = sandboxCardPage({
    path: c.req.path,
    businessName,
    orderNumber: paid.order.orderNumber,
    card,
  });
  return c.html(page, 200, await sandboxCardHeaders(card));
});

payments.post(`${sandboxCardPath}/:decision{approve|decline}`, async (c) => {
  const { reference, decision } = c.req.param();
  const { ctx, paid, cards } = await sandboxCardOf(c, c.req.param());
  const card = await cards.decide(reference, decision === "approve" ? "approve" : "decline");
  if (card === null) throw notFound("page");
  await verifiedPayment(ctx, paid, { reference });
  return c.redirect(nextOf(card) ?? pageOf(c.req.path), 303);
});

/** Paystack says that something is new of a payment: it is asked what, and nothing else is believed. */
async function hear(
  c: RequestContext,
  { type, event, reference }: Exclude<PaystackNotice, { type: "other" }>,
): Promise<void> {
  const owner = await ownerOf(c, reference);
  if (owner?.provider !== "paystack") return; // not a payment of ours: nothing that a repeat would change
  if (type === "refund") {
    // The job that asks after refunds brings the news; this line tells when Paystack had it.
    log("info", "paystack notice", { event, order: owner.orderId });
    return;
  }
  const business = await businessOf(c, owner.businessId);
  if (!business) return;
  const ctx = orderContextIn(c, { business, actor: { type: "system", job: "paystack" } });
  const paid = await orderRepo(ctx).get(owner.orderId);
  const verified = await verifiedPayment(ctx, paid, { reference });
  // Anything but a 200 makes Paystack tell it again.
  if (verified === "no_answer") throw unavailable("Paystack did not say how the payment stands.");
}

/** A reference names no business, so that every shard is asked, all at once, by a unique index. */
async function ownerOf(c: RequestContext, reference: string) {
  const shards = Object.values(shardsOf(c.env, c.get("settings").shopShards));
  const owners = await Promise.all(
    shards.map((shard) => findPaymentOwner(openDb(shard, c.get("meter")), reference)),
  );
  return owners.find((owner) => owner !== null) ?? null;
}

const businessOf = (c: RequestContext, id: string) =>
  businessRepo(openDb(c.env.CORE, c.get("meter"))).find(id);

/** @throws Refusal NOT_FOUND for a reference that is no card's of this business, and in live mode. */
async function sandboxCardOf(
  c: RequestContext,
  { business_id, reference }: Readonly<{ business_id: string; reference: string }>,
) {
  const business = await businessOf(c, business_id);
  if (business?.mode !== "test") throw notFound("page");
  const shop = shopOf(shardsOf(c.env, c.get("settings").shopShards), business);
  const cards = sandboxCards(openDb(shop, createMeter())); // the provider's books, no round trips of ours
  const card = await cards.find(reference);
  if (card === null) throw notFound("page");
  const ctx = orderContextIn(c, { business, actor: { type: "anonymous" } });
  return { ctx, cards, card, paid: await orderRepo(ctx).get(card.orderId) };
}

const pageOf = (decisionPath: string) => decisionPath.replace(/\/[^/]+$/, "");
