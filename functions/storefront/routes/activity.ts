import { z } from "@hono/zod-openapi";
import {
  findRecommendations,
  findState,
  type Shopper,
  strangersState,
} from "../../../shared/activity/index.ts";
import type { RequestContext } from "../../http/api-env.ts";
import { area } from "../../http/app.ts";
import { publishableKey as access } from "../../http/authentication/access.ts";
import { contextOf, keyed } from "../../http/context.ts";
import { answer, contract, json } from "../../http/contract.ts";
import { requestKeyOf } from "../../http/idempotency/key.ts";
import { counted } from "../../http/object-calls.ts";
import { pageLimit } from "../../wire/fields.ts";
import type { StorefrontBindings } from "../env.ts";
import { activityEvents, DismissBody, EventsBody } from "../requests/activity-fields.ts";
import { askKnown, openSession } from "../session-call.ts";
import {
  ActivityStateView,
  Intent,
  MessagesView,
  RecommendationsView,
  viewActivityState,
  viewMessages,
  viewRecommendations,
} from "../views/activity.ts";
import { answersOfSession as answersOf } from "../views/order-answers.ts";

/** interface.md, Activity. */
export const activity = area<StorefrontBindings>()
  .openapi(
    contract("post", "/activity/events", {
      summary: "Record what the shopper did",
      access,
      body: json(EventsBody),
      answer: z.object({
        processed: z.number().int(),
        intent: Intent,
        messages: MessagesView,
      }),
      answersOf,
    }),
    async (c) => {
      const events = activityEvents(c.req.valid("json"));
      const requestKey = await requestKeyOf(c, events);
      const { object } = await openSession(c);
      const state = await stateOf(c, counted(c, object.recordActivity(events, requestKey)));
      const { intent } = state;
      const recorded = { processed: events.length, intent, messages: viewMessages(state) };
      return c.json(answer(recorded), 200);
    },
  )
  .openapi(
    contract("get", "/activity/state", {
      summary: "The session's activity, and what follows from it",
      access,
      answer: ActivityStateView,
    }),
    async (c) => {
      const known = await shopperOf(c);
      const state = known ? await stateOf(c, known) : strangersState(keyed(c).business);
      return c.json(answer(viewActivityState(state)), 200);
    },
  )
  .openapi(
    contract("get", "/activity/recommendations", {
      summary: "Products that the shopper may like",
      access,
      query: z.object({ limit: pageLimit(10, 50) }),
      answer: RecommendationsView,
    }),
    async (c) => {
      const { limit } = c.req.valid("query");
      const shopper = await shopperOf(c);
      const found = await findRecommendations(contextOf(c, actor), shopper, limit);
      return c.json(answer(viewRecommendations(found)), 200);
    },
  )
  .openapi(
    contract("post", "/activity/messages/dismiss", {
      summary: "Send a message away for this session",
      access,
      body: json(DismissBody),
      answer: z.object({ dismissed: z.string(), messages: MessagesView }),
      answersOf,
    }),
    async (c) => {
      const { code } = c.req.valid("json");
      const { object } = await openSession(c);
      const state = await stateOf(c, counted(c, object.dismissMessage(code)));
      return c.json(answer({ dismissed: code, messages: viewMessages(state) }), 200);
    },
  );

type StorefrontContext = RequestContext<StorefrontBindings>;

/** What is read here is the public's: nothing depends on who asks. */
const actor = { type: "anonymous" } as const;

/** The caller's session, should there be one: reading makes none. */
async function shopperOf(c: StorefrontContext): Promise<Shopper | null> {
  return (await askKnown(c, "shopper"))?.answer ?? null;
}

const stateOf = async (c: StorefrontContext, shopper: Shopper | Promise<Shopper>) =>
  findState(contextOf(c, actor), await shopper);
