import { createApi, createSectionedApi, type Section, section } from "../http/app.ts";
import { createSocketKeyReader } from "../http/authentication/access.ts";
import type { RequestContext } from "../http/context.ts";
import type { ApiDescription } from "../http/openapi/documents.ts";
import type { AgentSessionObject } from "../runtime/objects/agent-session-object.ts";
import type { ConversationObject } from "../runtime/objects/conversation-object.ts";
import { lazyObjectClass } from "../runtime/objects/lazy-object.ts";
import { limitsOfOpening } from "./conversation-limits.ts";
import { type StorefrontBindings, supportSocketPath } from "./env.ts";
import type { SessionObject } from "./objects/cart-session/session-calls.ts";

export { RateLimiter } from "./objects/rate-limiter.ts";

export const CartSession = lazyObjectClass<
  StorefrontBindings,
  keyof SessionObject | keyof AgentSessionObject | "alarm"
>(
  {
    run: true,
    logIn: true,
    joinConversation: true,
    runForAgent: true,
    continueAgentSession: true,
    alarm: true,
  },
  async () => (await import("./objects/cart-session/cart-session.ts")).CartSession,
);

export const SupportConversation = lazyObjectClass<
  StorefrontBindings,
  keyof ConversationObject | "alarm" | `webSocket${"Message" | "Close" | "Error"}`
>(
  {
    open: true,
    post: true,
    listMessages: true,
    isShopperAway: true,
    revokeEarlierGenerations: true,
    confirmHolder: true,
    read: true,
    postAsAgent: true,
    addTicket: true,
    markRead: true,
    close: true,
    erase: true,
    eraseAll: true,
    fetch: true,
    alarm: true,
    webSocketMessage: true,
    webSocketClose: true,
    webSocketError: true,
  },
  async () =>
    (await import("./objects/support-conversation/support-conversation.ts")).SupportConversation,
);

export const Metrics = lazyObjectClass<StorefrontBindings, "add" | "read">(
  { add: true, read: true },
  async () => (await import("./objects/metrics.ts")).Metrics,
);

const prefix = "/api/v1";

const sections: readonly Section<StorefrontBindings>[] = [
  section(["business", "shops"], async (app) =>
    app.route(prefix, (await import("./routes/business.ts")).business),
  ),
  section(["auth", "sessions"], async (app) =>
    app.route(prefix, (await import("./routes/auth.ts")).auth),
  ),
  section(["hand-overs"], async (app) =>
    app.route(prefix, (await import("./routes/hand-overs.ts")).handOvers),
  ),
  section(["catalogue"], async (app) =>
    app.route(prefix, (await import("./routes/catalogue/catalogue.ts")).catalogue),
  ),
  section(["scheduling"], async (app) => {
    app.route(prefix, (await import("./routes/scheduling/scheduling.ts")).scheduling);
    app.route(prefix, (await import("./routes/scheduling/bookings.ts")).schedulingBookings);
  }),
  section(["inventory"], async (app) =>
    app.route(prefix, (await import("./routes/inventory.ts")).inventory),
  ),
  section(["cart"], async (app) => app.route(prefix, (await import("./routes/cart.ts")).cart)),
  section(["delivery"], async (app) =>
    app.route(prefix, (await import("./routes/delivery.ts")).delivery),
  ),
  section(["checkout", "payments"], async (app) => {
    app.route(prefix, (await import("./routes/orders/checkout.ts")).checkout);
    app.route(prefix, (await import("./routes/orders/payments.ts")).payments);
    app.route(prefix, (await import("./routes/orders/provider-webhooks.ts")).providerWebhooks);
  }),
  section(["orders"], async (app) => {
    app.route(prefix, (await import("./routes/orders/orders.ts")).orders);
    app.route(prefix, (await import("./routes/orders/unpaid-orders.ts")).unpaidOrders);
  }),
  section(["messages"], async (app) =>
    app.route("/messages", (await import("./routes/message-reports.ts")).messageReports),
  ),
  section(["subscriptions"], async (app) =>
    app.route(prefix, (await import("./routes/orders/subscriptions.ts")).subscriptions),
  ),
  section(["support"], async (app) =>
    app.route(prefix, (await import("./routes/support.ts")).support),
  ),
  section(["activity"], async (app) =>
    app.route(prefix, (await import("./routes/activity.ts")).activity),
  ),
  section(["fx"], async (app) => app.route(prefix, (await import("./routes/fx.ts")).fx)),
  section(["places"], async (app) =>
    app.route(prefix, (await import("./routes/places.ts")).places),
  ),
  section(["uploads"], async (app) =>
    app.route(prefix, (await import("./routes/uploads.ts")).uploads),
  ),
  section(["webhooks"], async (app) =>
    app.route(prefix, (await import("./routes/webhooks.ts")).webhooks),
  ),
  section(["assets"], async (app) => app.route("/", (await import("./routes/assets.ts")).assets)),
  section(["cdn"], async (app) => app.route("/cdn", (await import("./routes/assets.ts")).assets)),
];

const readKey = createSocketKeyReader(supportSocketPath);

/** Whether the call takes an order's money, or comes from a session with a login. */
async function hasReserve(c: RequestContext): Promise<boolean> {
  if (/\/(?:checkout|pay|payments\/authorization)$/.test(c.req.path)) return true;
  const { readSession } = await import("./caller-session.ts");
  return ((await readSession(c))?.generation ?? 0) > 0;
}

const newApp = () =>
  createApi<StorefrontBindings>({
    readKey,
    limits: { hasReserve, laterLimits: limitsOfOpening },
    takesConsoleCookie: (c) => c.req.path.startsWith(`${prefix}/webhooks`),
  });

const description: ApiDescription<StorefrontBindings> = {
  prefix,
  loadDescription: async () => (await import("./document.ts")).documentDescription,
};

export default createSectionedApi({ description, sections, newApp });
