import { z } from "@hono/zod-openapi";
import { cancelSubscription, subscriptionRepo } from "../../../../shared/subscriptions/index.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { id, text } from "../../../wire/fields.ts";
import { Page, pageOf, pageQuery } from "../../../wire/paging.ts";
import {
  SubscriptionDetailView,
  SubscriptionView,
  viewSubscription,
  viewSubscriptionDetail,
} from "../../../wire/views/subscription.ts";
import { merchantContext } from "../../context.ts";
import { numberPosition, numberPositionOf } from "../../requests/list-position.ts";

const path = "/v1/businesses/{business_id}/subscriptions";
const onePath = `${path}/{subscription_id}` as const;
const params = z.object({ business_id: id() });
const oneParams = params.extend({ subscription_id: id() });

const Cancellation = z
  .object({
    when: z.enum(["at_period_end", "now"]).optional(),
    at_period_end: z.boolean().optional(),
    now: z.boolean().optional(),
    reason: text(500).nullish(),
  })
  .refine((asked) => new Set(wordsOf(asked)).size <= 1, {
    path: ["now"],
    message: "says the contrary of another field",
  });

type Asked = Readonly<{
  when?: "at_period_end" | "now" | undefined;
  at_period_end?: boolean | undefined;
  now?: boolean | undefined;
}>;

/** What each field that was sent says: whether it is to end at once. */
const wordsOf = ({ when, at_period_end, now }: Asked): boolean[] =>
  [when && when === "now", at_period_end === undefined ? undefined : !at_period_end, now].filter(
    (word) => word !== undefined,
  );

/** business-surface.md, Subscriptions. */
export const subscriptions = area()
  .openapi(
    contract("get", path, {
      summary: "The business's subscriptions, the newest first",
      access: secretKey("orders:read"),
      params,
      query: z.object(pageQuery),
      answer: Page(SubscriptionView),
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const { limit, cursor } = c.req.valid("query");
      const last = numberPosition(cursor);
      const found = await subscriptionRepo(ctx).list({
        limit: limit + 1,
        before: last && { createdAt: last.number, id: last.id },
      });
      const now = ctx.now();
      const page = pageOf(found, {
        limit,
        view: (one) => viewSubscription(one, { now }),
        position: ({ createdAt, id }) => numberPositionOf(createdAt, id),
      });
      return c.json(answer(page), 200);
    },
  )
  .openapi(
    contract("get", onePath, {
      summary: "One subscription, with its plan, its items and its invoices",
      access: secretKey("orders:read"),
      params: oneParams,
      answer: SubscriptionDetailView,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const found = await subscriptionRepo(ctx).get(c.req.valid("param").subscription_id);
      const at = { now: ctx.now(), business: ctx.business };
      return c.json(answer(viewSubscriptionDetail(found, at)), 200);
    },
  )
  .openapi(
    contract("post", `${onePath}/cancel`, {
      summary: "End a subscription with the period that runs, or now",
      access: secretKey("orders:write"),
      params: oneParams,
      body: json(Cancellation),
      answer: SubscriptionView,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const asked = c.req.valid("json");
      const cancelled = await cancelSubscription(ctx, c.req.valid("param").subscription_id, {
        by: { type: "business" },
        reason: asked.reason ?? null,
        isAtOnce: wordsOf(asked)[0] ?? false,
      });
      return c.json(answer(viewSubscription(cancelled, { now: ctx.now() })), 200);
    },
  );
