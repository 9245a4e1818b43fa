import { z } from "@hono/zod-openapi";
import type { ShopContext } from "../../../../shared/businesses/index.ts";
import type { Login } from "../../../../shared/customers/index.ts";
import {
  cancelSubscription,
  pauseSubscription,
  resumeSubscription,
  skipRenewal,
  subscriptionRepo,
} from "../../../../shared/subscriptions/index.ts";
import type { RequestContext } from "../../../http/api-env.ts";
import { area } from "../../../http/app.ts";
import { publishableKey as access } from "../../../http/authentication/access.ts";
import { contextOf } from "../../../http/context.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { unauthorized } from "../../../http/errors.ts";
import { requestKeyOf } from "../../../http/idempotency/key.ts";
import { id, text } from "../../../wire/fields.ts";
import {
  SubscriptionDetailView,
  SubscriptionView,
  viewSubscription,
  viewSubscriptionDetail,
} from "../../../wire/views/subscription.ts";
import type { StorefrontBindings } from "../../env.ts";
import { sessionLogin } from "../../session-call.ts";
import { answersOfShopper as answersOf } from "../../views/order-answers.ts";

const params = z.object({ subscription_id: id() });

/** interface.md, Subscriptions: the customer's who is logged in. */
export const subscriptions = area<StorefrontBindings>()
  .openapi(
    contract("get", "/subscriptions", {
      summary: "The customer's subscriptions, the newest first; at most 100",
      access,
      answer: z.array(SubscriptionView),
    }),
    async (c) => {
      const { ctx, login } = await customerOf(c);
      const found = await subscriptionRepo(ctx).listOfCustomer(login);
      const at = { now: ctx.now() };
      return c.json(answer(found.map((one) => viewSubscription(one, at))), 200);
    },
  )
  .openapi(
    contract("get", "/subscriptions/{subscription_id}", {
      summary: "One subscription, with its plan, its items and its next invoice",
      access,
      params,
      answer: SubscriptionDetailView,
    }),
    async (c) => {
      const { ctx, login } = await customerOf(c);
      const { subscription_id } = c.req.valid("param");
      const found = await subscriptionRepo(ctx).getOfCustomer(subscription_id, login);
      const at = { now: ctx.now(), business: ctx.business };
      return c.json(answer(viewSubscriptionDetail(found, at)), 200);
    },
  )
  .openapi(
    contract("post", "/subscriptions/{subscription_id}/cancel", {
      summary: "End the subscription with the period that runs",
      access,
      params,
      body: json(z.object({ reason: text(500).nullish() })),
      answer: z.null(),
      answersOf,
      knowsRepeats: "alike",
    }),
    async (c) => {
      const { ctx, by } = await customerOf(c);
      const { subscription_id } = c.req.valid("param");
      const { reason = null } = c.req.valid("json");
      await cancelSubscription(ctx, subscription_id, { by, reason, isAtOnce: false });
      return c.json(answer(null), 200);
    },
  )
  .openapi(
    contract("post", "/subscriptions/{subscription_id}/pause", {
      summary: "Let renewals rest until the subscription is resumed",
      access,
      params,
      answer: SubscriptionView,
      answersOf,
    }),
    async (c) => {
      const { ctx, by } = await customerOf(c);
      const paused = await pauseSubscription(ctx, c.req.valid("param").subscription_id, by);
      return c.json(answer(viewSubscription(paused, { now: ctx.now() })), 200);
    },
  )
  .openapi(
    contract("post", "/subscriptions/{subscription_id}/resume", {
      summary: "Let renewals go on at the times that they had",
      access,
      params,
      answer: SubscriptionView,
      answersOf,
    }),
    async (c) => {
      const { ctx, by } = await customerOf(c);
      const resumed = await resumeSubscription(ctx, c.req.valid("param").subscription_id, by);
      return c.json(answer(viewSubscription(resumed, { now: ctx.now() })), 200);
    },
  )
  .openapi(
    contract("post", "/subscriptions/{subscription_id}/skip", {
      summary: "Leave out the next renewal",
      access,
      params,
      answer: SubscriptionView,
      answersOf,
      knowsRepeats: "alike",
    }),
    async (c) => {
      const { ctx, by, login } = await customerOf(c);
      const skipped = await skipRenewal(ctx, c.req.valid("param").subscription_id, {
        by,
        skipKey: await requestKeyOf(c, { customer: login.customerId }),
      });
      return c.json(answer(viewSubscription(skipped, { now: ctx.now() })), 200);
    },
  );

type Customer = Readonly<{
  ctx: ShopContext;
  login: Login;
  by: Readonly<{ type: "customer"; login: Login }>;
}>;

/** @throws Refusal UNAUTHORIZED without a login. */
async function customerOf(c: RequestContext<StorefrontBindings>): Promise<Customer> {
  const login = await sessionLogin(c);
  if (login === null) throw unauthorized("Log in to see your subscriptions.");
  return { ctx: contextOf(c, { type: "anonymous" }), login, by: { type: "customer", login } };
}
