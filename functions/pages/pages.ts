import type { PageContext } from "./env.ts";
import { notFoundPage, PageError, type PageMessage, toPageError } from "./http/page-error.ts";
import { respondWithPage } from "./http/respond.tsx";
import { messagePage } from "./parts/message-page.tsx";
import { openShop, type VisitedShop } from "./shop/open-shop.ts";

export { cancelBooking, respondWithBookings } from "./account/bookings.tsx";
export { changeProfile } from "./account/change-profile.ts";
export { changeSubscription } from "./account/change-subscription.ts";
export { respondWithOrders } from "./account/orders-page.tsx";
export { respondWithProfile } from "./account/profile-page.tsx";
export { respondWithSubscriptions } from "./account/subscriptions-page.tsx";
export { countPage } from "./http/count-page.ts";
export { changeLogin } from "./login/change-login.ts";
export { changeBooking, respondWithBooking } from "./order/booking-page.tsx";
export { changeOrder, payLinkedOrder } from "./order/change-order.ts";
export { respondWithOrder } from "./order/order-page.tsx";
export { respondWithLinkedOrder } from "./order/payment-page.tsx";
export { respondWithReceipt } from "./order/receipt-page.tsx";
export { bookSlot } from "./services/book-slot.ts";
export { respondWithServices } from "./services/service-list-page.tsx";
export { respondWithService } from "./services/service-page.tsx";
export { addToCart } from "./shop/add-to-cart.ts";
export { respondWithCart } from "./shop/cart-page.tsx";
export { changeCart } from "./shop/change-cart.ts";
export { respondWithCheckout } from "./shop/checkout-page.tsx";
export { respondWithCollection, respondWithCollections } from "./shop/collection-pages.tsx";
export { respondWithHandOver, takeHandOver } from "./shop/hand-over.tsx";
export { respondWithHome } from "./shop/home-page.tsx";
export { respondWithCategory, respondWithSearch } from "./shop/list-pages.tsx";
export { placeOrder } from "./shop/place-order.ts";
export { respondWithPlans } from "./shop/plans-page.tsx";
export { respondWithProduct } from "./shop/product-page.tsx";
export { respondWithSitemap } from "./shop/sitemap.ts";
export { sendMessage } from "./support/send-message.ts";
export { respondWithSupport } from "./support/support-page.tsx";
export { serveStyle } from "./theme/style-routes.ts";

export const respondWithNotFound = async (c: PageContext): Promise<Response> =>
  respondWithError(c, notFoundPage());

/** Says what went wrong, within the shop of the address where there is one. */
export async function respondWithError(c: PageContext, error: unknown): Promise<Response> {
  const known = toPageError(error);
  if (known === null)
    console.error(JSON.stringify({ level: "error", what: "page", error: textOf(error) }));
  const { status, page: message } = known ?? fault();
  const shop = await findShop(c, message);
  return respondWithPage(c, messagePage({ shop, message }), { status });
}

const fault = () =>
  new PageError(500, {
    title: "Something went wrong",
    text: "It is not your fault. Load the page again in a moment.",
  });

/** What happened without what was sent: addresses of orders contain tokens. */
const textOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.stack ?? ""}` : "unknown";

async function findShop(c: PageContext, message: PageMessage): Promise<VisitedShop | null> {
  const slug = message.shop ?? /^\/shop\/([^/]+)/.exec(c.req.path)?.[1];
  if (slug === undefined) return null;
  try {
    return await openShop(c, decodeURIComponent(slug));
  } catch {
    return null; // the message matters more than its frame
  }
}
