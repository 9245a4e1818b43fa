import { Hono } from "hono/tiny";
import { discardUnreadBody } from "../http/discard-body.ts";
import type { PageContext, PageEnv, PagesBindings } from "./env.ts";

const app = new Hono<PageEnv>();

type Pages = typeof import("./pages.ts");
let pages: Pages | undefined;

/** The pages are loaded with the first request for one, so that the Worker starts quickly. */
async function loadPages(): Promise<Pages> {
  pages ??= await import("./pages.ts");
  return pages;
}

type PageName = Exclude<keyof Pages, "respondWithError" | "countPage">;

app.use(async (c, next) => (await loadPages()).countPage(c, next));

/** Serves a page, and a failure as a page too. */
const serve =
  (name: PageName) =>
  async (c: PageContext): Promise<Response> => {
    const { [name]: respond, respondWithError } = await loadPages();
    return respond(c).catch((error: unknown) => respondWithError(c, error));
  };

app.get("/shop/-/healthz", (c) => c.json({ status: "ok" }));
app.get("/shop/-/:file", serve("serveStyle"));
app.get("/shop/:slug/sitemap.xml", serve("respondWithSitemap"));
app.get("/shop/:slug/search", serve("respondWithSearch"));
app.get("/shop/:slug/categories/:category", serve("respondWithCategory"));
app.get("/shop/:slug/collections", serve("respondWithCollections"));
app.get("/shop/:slug/collections/:collection", serve("respondWithCollection"));
app.get("/shop/:slug/plans", serve("respondWithPlans"));
app.get("/shop/:slug/products/:product", serve("respondWithProduct"));
app.post("/shop/:slug/products/:product", serve("addToCart"));
app.get("/shop/:slug/services", serve("respondWithServices"));
app.get("/shop/:slug/services/:service", serve("respondWithService"));
app.post("/shop/:slug/services/:service", serve("bookSlot"));
app.get("/shop/:slug/cart", serve("respondWithCart"));
app.post("/shop/:slug/cart", serve("changeCart"));
app.get("/shop/:slug/checkout", serve("respondWithCheckout"));
app.post("/shop/:slug/checkout", serve("placeOrder"));
app.get("/shop/:slug/continue/:token", serve("respondWithHandOver"));
app.post("/shop/:slug/continue/:token", serve("takeHandOver"));
app.get("/shop/:slug/account", serve("respondWithOrders"));
app.post("/shop/:slug/account", serve("changeLogin"));
app.get("/shop/:slug/account/bookings", serve("respondWithBookings"));
app.post("/shop/:slug/account/bookings", serve("cancelBooking"));
app.get("/shop/:slug/account/subscriptions", serve("respondWithSubscriptions"));
app.post("/shop/:slug/account/subscriptions", serve("changeSubscription"));
app.get("/shop/:slug/account/profile", serve("respondWithProfile"));
app.post("/shop/:slug/account/profile", serve("changeProfile"));
app.get("/shop/:slug/support", serve("respondWithSupport"));
app.post("/shop/:slug/support", serve("sendMessage"));
app.get("/shop/:slug", serve("respondWithHome"));
app.get("/orders/:order/receipt", serve("respondWithReceipt"));
app.get("/orders/:order/bookings/:booking", serve("respondWithBooking"));
app.post("/orders/:order/bookings/:booking", serve("changeBooking"));
app.get("/orders/:order", serve("respondWithOrder"));
app.post("/orders/:order", serve("changeOrder"));
app.get("/pay/:token", serve("respondWithLinkedOrder"));
app.post("/pay/:token", serve("payLinkedOrder"));
app.all("*", serve("respondWithNotFound"));

/** The hosted pages of shops (docs/contract/storefront.md#hosted-pages). */
export default {
  async fetch(request: Request, env: PagesBindings, ctx: ExecutionContext): Promise<Response> {
    const response = await app.fetch(request, env, ctx);
    await discardUnreadBody(request);
    return response;
  },
};
