import { surface } from "../http/app.ts";
import { documents } from "../http/documents.ts";
import type { StorefrontBindings } from "./env.ts";
import { activity } from "./routes/activity.ts";
import { auth } from "./routes/auth.ts";
import { business } from "./routes/business.ts";
import { cart } from "./routes/cart.ts";
import { catalogue } from "./routes/catalogue.ts";
import { checkout } from "./routes/checkout.ts";
import { fx } from "./routes/fx.ts";
import { inventory } from "./routes/inventory.ts";
import { orders } from "./routes/orders.ts";
import { payments } from "./routes/payments.ts";
import { webhooks } from "./routes/webhooks.ts";

export { CartSession } from "./objects/cart-session.ts";
export { RateLimiter } from "./objects/rate-limiter.ts";

const prefix = "/api/v1";

const app = surface<StorefrontBindings>();

documents(app, {
  prefix,
  title: "Duka storefront",
  description: "Catalogue, cart, checkout, orders and login for shoppers.",
});

app.route(prefix, business);
app.route(prefix, auth);
app.route(prefix, catalogue);
app.route(prefix, inventory);
app.route(prefix, cart);
app.route(prefix, checkout);
app.route(prefix, orders);
app.route(prefix, payments);
app.route(prefix, activity);
app.route(prefix, fx);
app.route(prefix, webhooks);

export default app;
