import background from "../../functions/background/worker.ts";
import business from "../../functions/business/worker.ts";
import link from "../../functions/link/worker.ts";
import { CartSession as CartSessionClass } from "../../functions/storefront/objects/cart-session/cart-session.ts";
import { RateLimiter as RateLimiterClass } from "../../functions/storefront/objects/rate-limiter.ts";
import { SupportConversation as SupportConversationClass } from "../../functions/storefront/objects/support-conversation/support-conversation.ts";
import storefront from "../../functions/storefront/worker.ts";
import { enforceObjectLimits } from "./platform-limits.ts";

// The classes themselves, so that a test can run code inside an object. The storefront loads them lazily.
export const CartSession = withPlatformLimits(CartSessionClass);
export const RateLimiter = withPlatformLimits(RateLimiterClass);
export const SupportConversation = withPlatformLimits(SupportConversationClass);

/** Routes requests to the Workers by path, as the front does. */
export default {
  fetch(request: Request, env: Cloudflare.Env, ctx: ExecutionContext) {
    const { pathname } = new URL(request.url);
    if (/^\/v1\/(?:businesses|organizations|operator)/.test(pathname))
      return business.fetch(request, env, ctx);
    if (pathname.startsWith("/v1/link")) return link.fetch(request, env, ctx);
    return storefront.fetch(request, env, ctx);
  },
  queue: background.queue,
} satisfies ExportedHandler<Cloudflare.Env>;

type ObjectClass = new (ctx: DurableObjectState, env: never) => object;

/** The class of an object, whose storage has the limits of Cloudflare. */
function withPlatformLimits<C extends ObjectClass>(objectClass: C): C {
  return new Proxy(objectClass, {
    construct(target, [ctx, bindings], newTarget) {
      enforceObjectLimits(ctx.storage);
      return Reflect.construct(target, [ctx, bindings], newTarget);
    },
  });
}
