import { surface } from "../http/app.ts";
import { documents } from "../http/documents.ts";
import type { StorefrontBindings } from "./env.ts";

export { CartSession } from "./objects/cart-session.ts";
export { RateLimiter } from "./objects/rate-limiter.ts";

const app = surface<StorefrontBindings>();

documents(app, {
  prefix: "/api/v1",
  title: "Duka storefront",
  description: "Catalogue, cart, checkout and orders for shoppers.",
});

export default app;
