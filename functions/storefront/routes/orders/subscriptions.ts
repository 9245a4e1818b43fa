import { z } from "@hono/zod-openapi";
import type { ShopContext } from "../../../../shared/businesses/index.ts";
import type { Login } from "../../../../shared/customers/index.ts";
import {
  changePaymentMethod,
  findRenewalTotal,
  prefetchRenewalTax,
} from "../../../../shared/renewals/index.ts";
import {
  cancelSubscription,
  pauseSubscription,
  resumeSubscription,
  skipRenewal,
  subscriptionRepo,
} from "../../../../shared/subscriptions/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { publishableKey as access } from "../../../http/authentication/access.ts";
import { createContext } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { unauthorized } from "../../../http/errors.ts";
import { createRequestKey } from "../../../http/idempotency/idempotency-key.ts";
import { id, text } from "../../../wire/fields.ts";
import {
  SubscriptionDetailView,
  SubscriptionListEntryView,
  SubscriptionView,
  viewSubscription,
  viewSubscriptionDetail,
  viewSubscriptionListEntry,
} from "../../../wire/views/subscription.ts";
import { loadLogin } from "../../caller-session.ts";
import type { StorefrontBindings, StorefrontContext } from "../../env.ts";
import { createOrderContext } from "../../order-context.ts";
import {
  PaymentMethodBody,
  readPaymentDeployment,
  toPaymentChoice,
} from "../../requests/payment-request.ts";
import { storeByShopper } from "../../response-stores.ts";
import { PaymentStatusView, viewPaymentStatus } from "../../views/payment.ts";

const params = z.object({ subscription_id: id() });

/** The subscription, and the payment of the period that was charged; null when none was. */
const ChangedPaymentMethodView = z
  .object({ ...SubscriptionView.shape, payment: z.object(PaymentStatusView.shape).nullable() })
  .openapi("ChangedPaymentMethod");

/** The shopper's calls for subscriptions (docs/contract/storefront.md#subscription-calls). */
export const subscriptions = createRoutes<StorefrontBindings>()
  .openapi(
    route("get", "/subscriptions", {
      operationId: "listSubscriptions",
      tag: "Subscriptions",
      summary: "List the customer's latest 100 subscriptions, newest first",
      access,
      session: "required",
      response: z.array(SubscriptionListEntryView),
    }),
    async (c) => {
      const { ctx, login } = await requireCustomer(c);
      const subscriptions = await subscriptionRepo(ctx).listOfCustomer(login);
      const at = { now: ctx.now() };
      const entries = subscriptions.map((one) => viewSubscriptionListEntry(one, at));
      return c.json(envelope(entries), 200);
    },
  )
  .openapi(
    route("get", "/subscriptions/{subscription_id}", {
      operationId: "getSubscription",
      tag: "Subscriptions",
      summary: "Get a subscription with its plan, items and next invoice",
      access,
      session: "required",
      params,
      response: SubscriptionDetailView,
    }),
    async (c) => {
      const { ctx, login } = await requireCustomer(c);
      const { subscription_id } = c.req.valid("param");
      const tax = prefetchRenewalTax(ctx, subscription_id);
      const record = await subscriptionRepo(ctx).getOfCustomer(subscription_id, login, tax);
      const renewalMinor = await findRenewalTotal(ctx, record.subscription, tax);
      const at = { now: ctx.now(), renewalMinor };
      return c.json(envelope(viewSubscriptionDetail(record, at)), 200);
    },
  )
  .openapi(
    route("post", "/subscriptions/{subscription_id}/cancel", {
      operationId: "cancelSubscription",
      tag: "Subscriptions",
      summary: "Cancel a subscription at the end of its current period",
      access,
      session: "required",
      rules: ["INVALID_STATE"],
      params,
      body: requireJson(z.object({ reason: text(500).nullish() })),
      response: z.null(),
      idempotency: { store: storeByShopper, replay: "same" },
    }),
    async (c) => {
      const { ctx, requester } = await requireCustomer(c);
      const { subscription_id } = c.req.valid("param");
      const { reason = null } = c.req.valid("json");
      await cancelSubscription(ctx, subscription_id, { requester, reason, isImmediate: false });
      return c.json(envelope(null), 200);
    },
  )
  .openapi(
    route("post", "/subscriptions/{subscription_id}/pause", {
      operationId: "pauseSubscription",
      tag: "Subscriptions",
      summary: "Pause a subscription's renewals",
      access,
      session: "required",
      rules: ["INVALID_STATE"],
      params,
      response: SubscriptionView,
      idempotency: { store: storeByShopper },
    }),
    async (c) => {
      const { ctx, requester } = await requireCustomer(c);
      const paused = await pauseSubscription(ctx, c.req.valid("param").subscription_id, requester);
      return c.json(envelope(viewSubscription(paused, { now: ctx.now() })), 200);
    },
  )
  .openapi(
    route("post", "/subscriptions/{subscription_id}/resume", {
      operationId: "resumeSubscription",
      tag: "Subscriptions",
      summary: "Resume a subscription",
      description: "Its renewal dates stay the same.",
      access,
      session: "required",
      rules: ["INVALID_STATE"],
      params,
      response: SubscriptionView,
      idempotency: { store: storeByShopper },
    }),
    async (c) => {
      const { ctx, requester } = await requireCustomer(c);
      const resumed = await resumeSubscription(
        ctx,
        c.req.valid("param").subscription_id,
        requester,
      );
      return c.json(envelope(viewSubscription(resumed, { now: ctx.now() })), 200);
    },
  )
  .openapi(
    route("post", "/subscriptions/{subscription_id}/payment-method", {
      operationId: "setSubscriptionPaymentMethod",
      tag: "Subscriptions",
      summary: "Choose how a subscription is paid, and pay an unpaid period",
      access,
      session: "required",
      rules: ["INVALID_STATE", "PAYMENT_METHOD_UNAVAILABLE"],
      params,
      body: requireJson(PaymentMethodBody),
      response: ChangedPaymentMethodView,
      idempotency: { store: storeByShopper, resumable: true },
    }),
    async (c) => {
      const { requester } = await requireCustomer(c);
      const ctx = createOrderContext(c);
      const { subscription_id } = c.req.valid("param");
      const choice = toPaymentChoice(c.req.valid("json"), ctx.business, readPaymentDeployment(c));
      const changed = await changePaymentMethod(ctx, subscription_id, { requester, choice });
      const view = {
        ...viewSubscription(changed.subscription, { now: ctx.now() }),
        payment: changed.order && viewPaymentStatus(ctx, changed.order),
      };
      return c.json(envelope(view), 200);
    },
  )
  .openapi(
    route("post", "/subscriptions/{subscription_id}/skip", {
      operationId: "skipSubscriptionRenewal",
      tag: "Subscriptions",
      summary: "Skip a subscription's next renewal",
      access,
      session: "required",
      rules: ["INVALID_STATE"],
      params,
      response: SubscriptionView,
      idempotency: { store: storeByShopper, replay: "same" },
    }),
    async (c) => {
      const { ctx, requester, login } = await requireCustomer(c);
      const skipped = await skipRenewal(ctx, c.req.valid("param").subscription_id, {
        requester,
        skipKey: await createRequestKey(c, { customer: login.customerId }),
      });
      return c.json(envelope(viewSubscription(skipped, { now: ctx.now() })), 200);
    },
  );

type SubscriptionCustomer = Readonly<{
  ctx: ShopContext;
  login: Login;
  requester: Readonly<{ type: "customer"; login: Login }>;
}>;

/** @throws Refusal UNAUTHORIZED without a login. */
async function requireCustomer(c: StorefrontContext): Promise<SubscriptionCustomer> {
  const login = await loadLogin(c);
  if (login === null) throw unauthorized("Log in to see your subscriptions.");
  return {
    ctx: createContext(c, { type: "anonymous" }),
    login,
    requester: { type: "customer", login },
  };
}
