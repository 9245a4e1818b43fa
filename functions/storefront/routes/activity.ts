import { z } from "@hono/zod-openapi";
import {
  anonymousState,
  findActivityState,
  findRecommendations,
  type Shopper,
} from "../../../shared/activity/index.ts";
import { createRoutes } from "../../http/app.ts";
import { publishableKey as access } from "../../http/authentication/access.ts";
import { createContext, requireKey } from "../../http/context.ts";
import { envelope, requireJson, route } from "../../http/contract.ts";
import { createRequestKey } from "../../http/idempotency/idempotency-key.ts";
import { pageLimit } from "../../wire/fields.ts";
import { callExistingSession, callSession } from "../caller-session.ts";
import type { StorefrontBindings, StorefrontContext } from "../env.ts";
import {
  ActivityEventsBody,
  DismissMessageBody,
  toActivityEvents,
} from "../requests/activity-fields.ts";
import { storeBySession } from "../response-stores.ts";
import {
  ActivityStateView,
  IntentView,
  MessagesView,
  RecommendationsView,
  viewActivityState,
  viewMessages,
  viewRecommendations,
} from "../views/activity.ts";

/** The calls that report what shoppers do (docs/contract/storefront.md#activity). */
export const activity = createRoutes<StorefrontBindings>()
  .openapi(
    route("post", "/activity/events", {
      operationId: "recordActivityEvents",
      tag: "Activity",
      summary: "Record activity events of the session",
      access,
      session: "starts",
      body: requireJson(ActivityEventsBody),
      response: z.object({
        processed: z.number().int(),
        intent: IntentView,
        messages: MessagesView,
      }),
      idempotency: { store: storeBySession },
    }),
    async (c) => {
      const events = toActivityEvents(c.req.valid("json"));
      const requestKey = await createRequestKey(c, events);
      const shopper = await callSession(c, "recordActivity", { events, requestKey });
      const state = await findStateOf(c, shopper);
      const { intent } = state;
      const recorded = { processed: events.length, intent, messages: viewMessages(state) };
      return c.json(envelope(recorded), 200);
    },
  )
  .openapi(
    route("get", "/activity/state", {
      operationId: "getActivityState",
      tag: "Activity",
      summary: "Get the session's activity, intent, messages and incentive",
      access,
      session: "optional",
      response: ActivityStateView,
    }),
    async (c) => {
      const shopper = await findShopper(c);
      const state = shopper
        ? await findStateOf(c, shopper)
        : anonymousState(requireKey(c).business);
      return c.json(envelope(viewActivityState(state)), 200);
    },
  )
  .openapi(
    route("get", "/activity/recommendations", {
      operationId: "listRecommendations",
      tag: "Activity",
      summary: "Recommend products to the shopper",
      access,
      session: "optional",
      query: z.object({ limit: pageLimit(10, 50) }),
      response: RecommendationsView,
    }),
    async (c) => {
      const { limit } = c.req.valid("query");
      const shopper = await findShopper(c);
      const recommendations = await findRecommendations(createContext(c, actor), shopper, limit);
      return c.json(envelope(viewRecommendations(recommendations)), 200);
    },
  )
  .openapi(
    route("post", "/activity/messages/dismiss", {
      operationId: "dismissActivityMessage",
      tag: "Activity",
      summary: "Dismiss a message for this session",
      access,
      session: "starts",
      body: requireJson(DismissMessageBody),
      response: z.object({ dismissed: z.string(), messages: MessagesView }),
      idempotency: { store: storeBySession },
    }),
    async (c) => {
      const { code } = c.req.valid("json");
      const state = await findStateOf(c, await callSession(c, "dismissMessage", code));
      return c.json(envelope({ dismissed: code, messages: viewMessages(state) }), 200);
    },
  );

const actor = { type: "anonymous" } as const;

/**
 * The shopper of the caller's session. Null without a session, because a read starts no session.
 */
async function findShopper(c: StorefrontContext): Promise<Shopper | null> {
  return (await callExistingSession(c, "getShopper", null))?.result ?? null;
}

const findStateOf = async (c: StorefrontContext, shopper: Shopper) =>
  findActivityState(createContext(c, actor), shopper);
