import { z } from "@hono/zod-openapi";
import { findRenewalTotal, prefetchRenewalTax } from "../../../../shared/renewals/index.ts";
import { cancelSubscription, subscriptionRepo } from "../../../../shared/subscriptions/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { formatNumberPosition, parseNumberPosition } from "../../../wire/cursor-position.ts";
import { id, text } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery } from "../../../wire/paging.ts";
import {
  SubscriptionDetailView,
  SubscriptionView,
  viewSubscription,
  viewSubscriptionDetail,
} from "../../../wire/views/subscription.ts";
import { createMerchantContext } from "../../context.ts";

const path = "/v1/businesses/{business_id}/subscriptions";
const onePath = `${path}/{subscription_id}` as const;
const params = z.object({ business_id: id() });
const oneParams = params.extend({ subscription_id: id() });

const CancellationBody = z
  .object({
    when: z.enum(["at_period_end", "now"]).optional(),
    at_period_end: z.boolean().optional(),
    now: z.boolean().optional(),
    reason: text(500).nullish(),
  })
  .refine((body) => new Set(immediacyIn(body)).size <= 1, {
    path: ["now"],
    message: "contradicts another field",
  });

type CancellationTime = Readonly<{
  when?: "at_period_end" | "now" | undefined;
  at_period_end?: boolean | undefined;
  now?: boolean | undefined;
}>;

/** One value for each field that was sent: true when that field asks to cancel immediately. */
const immediacyIn = ({ when, at_period_end, now }: CancellationTime): boolean[] =>
  [when && when === "now", at_period_end === undefined ? undefined : !at_period_end, now].filter(
    (isImmediate) => isImmediate !== undefined,
  );

/** The business's calls for subscriptions (docs/contract/business.md#subscription-calls). */
export const subscriptions = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listSubscriptions",
      tag: "Subscriptions",
      summary: "List subscriptions, newest first",
      access: secretKey("orders:read"),
      params,
      query: z.object(pageQuery),
      response: Page(SubscriptionView),
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const { limit, cursor } = c.req.valid("query");
      const last = parseNumberPosition(cursor);
      const records = await subscriptionRepo(ctx).list({
        limit: limit + 1,
        before: last && { createdAt: last.number, id: last.id },
      });
      const now = ctx.now();
      const page = createPage(records, {
        limit,
        view: (subscription) => viewSubscription(subscription, { now }),
        position: ({ createdAt, id }) => formatNumberPosition(createdAt, id),
      });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("get", onePath, {
      operationId: "getSubscription",
      tag: "Subscriptions",
      summary: "Get a subscription with its plan, items and invoices",
      access: secretKey("orders:read"),
      params: oneParams,
      response: SubscriptionDetailView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const { subscription_id } = c.req.valid("param");
      const tax = prefetchRenewalTax(ctx, subscription_id);
      const record = await subscriptionRepo(ctx).get(subscription_id, tax);
      const renewalMinor = await findRenewalTotal(ctx, record.subscription, tax);
      const at = { now: ctx.now(), renewalMinor };
      return c.json(envelope(viewSubscriptionDetail(record, at)), 200);
    },
  )
  .openapi(
    route("post", `${onePath}/cancel`, {
      operationId: "cancelSubscription",
      tag: "Subscriptions",
      summary: "Cancel a subscription at the end of its current period, or now",
      access: secretKey("orders:write"),
      rules: ["INVALID_STATE"],
      params: oneParams,
      body: requireJson(CancellationBody),
      response: SubscriptionView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const body = c.req.valid("json");
      const cancelled = await cancelSubscription(ctx, c.req.valid("param").subscription_id, {
        requester: { type: "business" },
        reason: body.reason ?? null,
        isImmediate: immediacyIn(body)[0] ?? false,
      });
      return c.json(envelope(viewSubscription(cancelled, { now: ctx.now() })), 200);
    },
  );
