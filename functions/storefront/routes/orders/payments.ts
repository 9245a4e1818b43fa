import { z } from "@hono/zod-openapi";
import { businessRepo } from "../../../../shared/businesses/index.ts";
import { createMeter, openDb, shardsOf, shopOf } from "../../../../shared/database/index.ts";
import { notFound } from "../../../../shared/kernel/index.ts";
import {
  authorizePayment,
  orderRepo,
  type PaymentCaller,
  tryVerifyPayment,
} from "../../../../shared/orders/index.ts";
import { authorizationTypes, sandboxCards } from "../../../../shared/payments/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { publishableKey } from "../../../http/authentication/access.ts";
import type { RequestContext } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import type { RateLimitedContext } from "../../../http/rate-limits/rate-limit.ts";
import { sandboxCardPath } from "../../../runtime/providers/payment-providers.ts";
import { id, text } from "../../../wire/fields.ts";
import { callExistingSession } from "../../caller-session.ts";
import type { StorefrontBindings, StorefrontContext } from "../../env.ts";
import { createOrderContext, createOrderContextFor } from "../../order-context.ts";
import { paymentReturnHeaders, paymentReturnPage } from "../../pages/payment-return.ts";
import { returnUrlAfter, sandboxCardHeaders, sandboxCardPage } from "../../pages/sandbox-card.ts";
import {
  assertWithinLinkLimit,
  findPaymentLink,
  isExpired,
  readPaymentProof,
} from "../../payment-link.ts";
import { type BillTokenQuery, billTokenQuery } from "../../requests/bill-token.ts";
import { storeByPayer } from "../../response-stores.ts";
import { AuthorizationView, viewAuthorization } from "../../views/payment.ts";

/**
 * The answer to a payment's challenge, such as an OTP, and the sandbox's payment page, whose URL
 * nobody can guess.
 */
export const payments = createRoutes<StorefrontBindings>().openapi(
  route("post", "/payments/authorization", {
    operationId: "authorizePayment",
    tag: "Payments",
    summary: "Answer a payment's challenge",
    access: publishableKey,
    session: "optional",
    rules: ["AUTHORIZATION_FAILED", "INVALID_STATE"],
    query: billTokenQuery,
    body: requireJson(
      z.object({
        payment_id: id(),
        authorization: z.object({ type: z.enum(authorizationTypes), value: text(8_192).min(1) }),
      }),
    ),
    response: AuthorizationView,
    idempotency: { store: storeByPayer, resumable: true },
  }),
  async (c) => {
    const { payment_id: paymentId, authorization } = c.req.valid("json");
    const caller = await requirePayer(c, c.req.valid("query"));
    const ctx = createOrderContext(c);
    const paid = await authorizePayment(ctx, { paymentId, ...authorization, ...caller });
    return c.json(envelope(viewAuthorization(paid)), 200);
  },
);

/**
 * Who authorizes: the holder of a token of the order, or the caller's session.
 *
 * @throws Refusal NOT_FOUND without any, and for a payment link that has expired.
 */
async function requirePayer(
  c: StorefrontContext & RateLimitedContext,
  { token }: BillTokenQuery,
): Promise<PaymentCaller> {
  if (token !== undefined) {
    const link = await findPaymentLink(c, token);
    if (link !== null && isExpired(link)) throw notFound("payment");
    await assertWithinLinkLimit(c, link, "submission");
    return { proof: await readPaymentProof(c, { token, link }) };
  }
  const called = await callExistingSession(c, "getLogin", null);
  if (called === null) throw notFound("payment");
  return { sessionId: called.session.id, customerId: called.result?.customerId ?? null };
}

payments.get("/payments/return", async (c) =>
  c.html(paymentReturnPage(), 200, await paymentReturnHeaders()),
);

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
