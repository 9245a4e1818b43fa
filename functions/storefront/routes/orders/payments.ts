import { z } from "@hono/zod-openapi";
import { businessRepo } from "../../../../shared/businesses/index.ts";
import { createMeter, openDb, shardsOf, shopOf } from "../../../../shared/database/index.ts";
import { notFound, unavailable } from "../../../../shared/kernel/index.ts";
import { authorizePayment, orderRepo, tryVerifyPayment } from "../../../../shared/orders/index.ts";
import {
  authorizationTypes,
  findPaymentByReference,
  type PaystackWebhook,
  parsePaystackWebhook,
  sandboxCards,
} from "../../../../shared/payments/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { type CustomAccess, publishableKey } from "../../../http/authentication/access.ts";
import { acceptJsonBody } from "../../../http/bodies.ts";
import type { RequestContext } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { unauthorized } from "../../../http/errors.ts";
import { log } from "../../../runtime/log.ts";
import { sandboxCardPath } from "../../../runtime/providers/payment-providers.ts";
import { id, text } from "../../../wire/fields.ts";
import { callExistingSession } from "../../caller-session.ts";
import type { StorefrontBindings } from "../../env.ts";
import { createOrderContext, createOrderContextFor } from "../../order-context.ts";
import { returnUrlAfter, sandboxCardHeaders, sandboxCardPage } from "../../pages/sandbox-card.ts";
import { storeBySession } from "../../response-stores.ts";
import { AuthorizationView, viewAuthorization } from "../../views/payment.ts";

/**
 * The answer to a payment's challenge, such as an OTP, and two endpoints without an API key:
 * Paystack's webhook is signed instead, and nobody can guess the URL of the sandbox's payment page.
 */
export const payments = createRoutes<StorefrontBindings>().openapi(
  route("post", "/payments/authorization", {
    operationId: "authorizePayment",
    tag: "Payments",
    summary: "Answer a payment's challenge",
    access: publishableKey,
    session: "required",
    rules: ["AUTHORIZATION_FAILED", "INVALID_STATE"],
    body: requireJson(
      z.object({
        payment_id: id(),
        authorization: z.object({ type: z.enum(authorizationTypes), value: text(8_192).min(1) }),
      }),
    ),
    response: AuthorizationView,
    idempotency: { store: storeBySession, resumable: true },
  }),
  async (c) => {
    const { payment_id: paymentId, authorization } = c.req.valid("json");
    const called = await callExistingSession(c, "getLogin", null);
    if (called === null) throw notFound("payment");
    const paid = await authorizePayment(createOrderContext(c), {
      paymentId,
      sessionId: called.session.id,
      customerId: called.result?.customerId ?? null,
      ...authorization,
    });
    return c.json(envelope(viewAuthorization(paid)), 200);
  },
);

const webhookPath = "/payments/providers/paystack/webhook";

const paystackAccess: CustomAccess = {
  kind: "custom",
  security: [{ paystackSignature: [] }],
  // Responses are not stored, because processing a webhook twice changes nothing.
  responseStore: null,
  check: (_, next) => next(),
};

/**
 * Documents the webhook without validating it. The handler checks the signature of the raw bytes
 * and accepts any signed body, because Paystack would retry a rejected webhook for days.
 */
const { middleware: _, ...webhookRoute } = route("post", webhookPath, {
  operationId: "receivePaystackWebhook",
  tag: "Payments",
  summary: "Receive a Paystack webhook, after which the payment is verified with Paystack",
  access: paystackAccess,
  body: requireJson(
    z.object({
      event: z.string().openapi({ example: "charge.success" }),
      data: z
        .object({ reference: z.string().optional(), transaction_reference: z.string().optional() })
        .openapi({
          description: "The reference of the charge, or of the refunded charge.",
        }),
    }),
  ),
  response: z.null(),
});
payments.openAPIRegistry.registerPath(webhookRoute);

payments.post(webhookPath, acceptJsonBody, async (c) => {
  const { paystack } = c.get("settings");
  if (!paystack) throw notFound("call");
  const signature = c.req.header("x-paystack-signature") ?? "";
  const { secretKey } = paystack;
  const webhook = await parsePaystackWebhook(await c.req.arrayBuffer(), { signature, secretKey });
  if (webhook === null) throw unauthorized("The signature is missing or wrong.");
  if (webhook.type !== "other") await processWebhook(c, webhook);
  return c.json(envelope(null), 200);
});

payments.get(sandboxCardPath, async (c) => {
  const { ctx, details, card } = await requireSandboxCard(c, c.req.param());
  const { name: businessName } = ctx.business;
  const page = sandboxCardPage({
    path: c.req.path,
    businessName,
    orderNumber: details.order.orderNumber,
    card,
  });
  return c.html(page, 200, await sandboxCardHeaders(card));
});

payments.post(`${sandboxCardPath}/:decision{approve|decline}`, async (c) => {
  const { reference, decision } = c.req.param();
  const { ctx, details, cards } = await requireSandboxCard(c, c.req.param());
  const card = await cards.decide(reference, decision === "approve" ? "approve" : "decline");
  if (card === null) throw notFound("page");
  await tryVerifyPayment(ctx, details, { reference });
  return c.redirect(returnUrlAfter(card) ?? cardPagePath(c.req.path), 303);
});

/**
 * Verifies the payment with Paystack. The webhook only triggers this, and its other data are
 * ignored.
 */
async function processWebhook(
  c: RequestContext,
  { type, event, reference }: Exclude<PaystackWebhook, { type: "other" }>,
): Promise<void> {
  const owner = await findPaymentOwner(c, reference);
  // Ignored without an error, because a retry of the webhook would not find the payment either.
  if (owner?.provider !== "paystack") return;
  if (type === "refund") {
    // The job `settle-refunds` updates the refund. This line only logs when Paystack reported it.
    log("info", "paystack webhook", { event, order: owner.orderId });
    return;
  }
  const business = await findBusiness(c, owner.businessId);
  if (!business) return;
  const ctx = createOrderContextFor(c, { business, actor: { type: "system", job: "paystack" } });
  const details = await orderRepo(ctx).get(owner.orderId);
  const verified = await tryVerifyPayment(ctx, details, { reference });
  // Any status other than 200 makes Paystack retry.
  if (verified === "no_answer")
    throw unavailable("Paystack did not respond with the payment's status.");
}

/**
 * Finds the order of a payment. Searches all shards in parallel, because a payment's reference does
 * not contain its business.
 */
async function findPaymentOwner(c: RequestContext, reference: string) {
  const shards = Object.values(shardsOf(c.env, c.get("settings").shopShards));
  const owners = await Promise.all(
    shards.map((shard) => findPaymentByReference(openDb(shard, c.get("meter")), reference)),
  );
  return owners.find((owner) => owner !== null) ?? null;
}

const findBusiness = (c: RequestContext, id: string) =>
  businessRepo(openDb(c.env.CORE, c.get("meter"))).find(id);

/** @throws Refusal NOT_FOUND for a business in live mode, and for an unknown reference. */
async function requireSandboxCard(
  c: RequestContext,
  { business_id, reference }: Readonly<{ business_id: string; reference: string }>,
) {
  const business = await findBusiness(c, business_id);
  if (business?.mode !== "test" || business.status.type === "closed") throw notFound("page");
  const shop = shopOf(shardsOf(c.env, c.get("settings").shopShards), business);
  // The sandbox stands for an external provider, so its queries are not counted for the request.
  const cards = sandboxCards(openDb(shop, createMeter()));
  const card = await cards.find(reference);
  if (card === null) throw notFound("page");
  const ctx = createOrderContextFor(c, { business, actor: { type: "anonymous" } });
  return { ctx, cards, card, details: await orderRepo(ctx).get(card.orderId) };
}

const cardPagePath = (decisionPath: string) => decisionPath.replace(/\/[^/]+$/, "");
