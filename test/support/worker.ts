import background from "../../functions/background/worker.ts";
import business from "../../functions/business/worker.ts";
import link from "../../functions/link/worker.ts";
import storefront from "../../functions/storefront/worker.ts";

// The classes themselves, so that a test can run code inside an object. The storefront loads them lazily.
export { CartSession } from "../../functions/storefront/objects/cart-session/cart-session.ts";
export { RateLimiter } from "../../functions/storefront/objects/rate-limiter.ts";
export { SupportConversation } from "../../functions/storefront/objects/support-conversation/support-conversation.ts";

/** Routes requests to the Workers by path, as the front does. */
export default {
  fetch(request: Request, env: Cloudflare.Env, ctx: ExecutionContext) {
    const { pathname } = new URL(request.url);
    if (/^\/v1\/(?:businesses|organizations)/.test(pathname))
      return business.fetch(request, env, ctx);
    if (pathname.startsWith("/v1/link")) return link.fetch(request, env, ctx);
    return storefront.fetch(request, env, ctx);
  },
  queue: background.queue,
} satisfies ExportedHandler<Cloudflare.Env>;
