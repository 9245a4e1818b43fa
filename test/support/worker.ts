import agents from "../../functions/agents/worker.ts";
import type { BackgroundBindings } from "../../functions/background/env.ts";
import background from "../../functions/background/worker.ts";
import type { BusinessBindings } from "../../functions/business/env.ts";
import business from "../../functions/business/worker.ts";
import link from "../../functions/link/worker.ts";
import pages from "../../functions/pages/worker.ts";
import type { StorefrontBindings } from "../../functions/storefront/env.ts";
import { CartSession as CartSessionClass } from "../../functions/storefront/objects/cart-session/cart-session.ts";
import { Metrics as MetricsClass } from "../../functions/storefront/objects/metrics.ts";
import { RateLimiter as RateLimiterClass } from "../../functions/storefront/objects/rate-limiter.ts";
import { SupportConversation as SupportConversationClass } from "../../functions/storefront/objects/support-conversation/support-conversation.ts";
import storefront from "../../functions/storefront/worker.ts";
import { runCallsAsInvocations, runInvocation } from "./invocations.ts";
import { enforceObjectLimits } from "./platform-limits.ts";

// The classes themselves, so that a test can run code inside an object. The storefront loads them lazily.
export const CartSession = withPlatformLimits(CartSessionClass);
export const Metrics = withPlatformLimits(MetricsClass);
export const RateLimiter = withPlatformLimits(RateLimiterClass);
export const SupportConversation = withPlatformLimits(SupportConversationClass);

/** Each run of a handler is an invocation, which has its own limit of D1 queries. */
export default {
  fetch(request: Request, env: StorefrontBindings & BusinessBindings, ctx: ExecutionContext) {
    const { pathname } = new URL(request.url);
    if (isHostedPage.test(pathname)) return pages.fetch(request, pageBindings(env, ctx), ctx);
    if (isForAgents.test(pathname))
      return runInvocation(`${request.method} ${pathname}`, () =>
        agents.fetch(request, agentBindings(env, ctx), ctx),
      );
    const worker = workerFor(pathname);
    return runInvocation(`${request.method} ${pathname}`, () => worker.fetch(request, env, ctx));
  },
  queue: (batch: MessageBatch, env: BackgroundBindings) =>
    runInvocation(`a batch of ${batch.queue}`, () => background.queue(batch, env)),
  scheduled: (controller: ScheduledController, env: BackgroundBindings) =>
    runInvocation("cron", () => background.scheduled(controller, env)),
} satisfies ExportedHandler<Cloudflare.Env>;

/** The paths of the hosted pages, as the front knows them. */
const isHostedPage = /^\/(?:shop|orders|pay)(?:\/|$)/;

const isForAgents = /^\/(?:agents|mcp|\.well-known\/[\w-]+\/agents)(?:\/|$)/;

/** The pages call the storefront's Worker, and each of their calls is an invocation of its own. */
const pageBindings = (env: StorefrontBindings, ctx: ExecutionContext) => ({
  METRICS: env.METRICS,
  METRICS_INTERVAL_SECONDS: "0",
  STOREFRONT: {
    fetch: (request: Request) =>
      runInvocation(`${request.method} ${new URL(request.url).pathname}`, () =>
        storefront.fetch(request, env, ctx),
      ),
  },
});

/** Agents' calls reach the other Workers through service bindings, each an invocation of its own. */
const agentBindings = (env: StorefrontBindings & BusinessBindings, ctx: ExecutionContext) => ({
  ...env,
  BUSINESS: upstreamOf((request) => business.fetch(request, env, ctx)),
});

const upstreamOf = (respond: (request: Request) => Promise<Response>) => ({
  fetch: (request: Request) =>
    runInvocation(`${request.method} ${new URL(request.url).pathname}`, () => respond(request)),
});

/** The Worker to which the front routes a path. */
function workerFor(pathname: string) {
  if (/^\/v1\/(?:businesses|organizations|operator|console)/.test(pathname)) return business;
  return pathname.startsWith("/v1/link") ? link : storefront;
}

type ObjectClass = new (ctx: DurableObjectState, env: never) => object;

/** The class of an object, whose storage has the limits of Cloudflare. */
function withPlatformLimits<C extends ObjectClass>(objectClass: C): C {
  runCallsAsInvocations(objectClass);
  return new Proxy(objectClass, {
    construct(target, [ctx, bindings], newTarget) {
      enforceObjectLimits(ctx.storage);
      return Reflect.construct(target, [ctx, bindings], newTarget);
    },
  });
}
