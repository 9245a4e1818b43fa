import { DukaError, NotFoundError, type StorefrontSchemas } from "../../../sdk/src/storefront.ts";
import type { PageContext } from "../env.ts";
import { notFoundPage, PageError } from "../http/page-error.ts";
import { openShop, orderPath, type VisitedShop } from "../shop/open-shop.ts";

export type Order = StorefrontSchemas["Order"];
export type Payment = StorefrontSchemas["PaymentStatus"];

/** An order that was opened by the token in its address, or with an empty one by a login. */
export type OpenedOrder = Readonly<{
  shop: VisitedShop;
  order: Order;
  payment: Payment;
  token: string;
  path: string;
  /** Where a payment provider leads back to. The order keeps it, so it contains no token. */
  returnUrl: string;
  /** Whether the page is that of a payment link, which opens less. */
  isLinked: boolean;
}>;

const billToken = /^bt_(?<business>[0-9a-z]{26})[0-9a-f]{40}$/;
const linkToken =
  /^(?<business>[0-9a-z]{26})-(?<order>[0-9a-z]{26})-(?<expiry>[0-9a-z]{1,10})-[0-9a-f]{32}$/;

/** The path of an order's page for its customer, whose login opens it. */
export const ownOrderPath = (
  { business }: Pick<VisitedShop, "business">,
  orderId: string,
): string => `/orders/${encodeURIComponent(orderId)}?shop=${business.slug}`;

/** The path of the page on which a customer moves or cancels a booking. */
export const ownBookingPath = (
  shop: Pick<VisitedShop, "business">,
  { id, order_id }: Readonly<{ id: string; order_id: string }>,
): string => bookingPathOf(ownOrderPath(shop, order_id), id);

/** The path of a booking's page within that of its order. */
export const bookingPathOf = (orderPage: string, bookingId: string): string =>
  orderPage.replace("?", `/bookings/${encodeURIComponent(bookingId)}?`);

/** The shop of the address. Only the API knows whether the token is right. */
async function openShopOfToken(
  c: PageContext,
): Promise<Readonly<{ shop: VisitedShop; token: string }>> {
  const token = c.req.query("token") ?? "";
  const slug = c.req.query("shop") ?? "";
  if (token === "" && slug !== "") return { shop: await openShop(c, slug), token };
  const link = linkToken.exec(token)?.groups;
  const business = (link ?? billToken.exec(token)?.groups)?.business;
  if (business === undefined) {
    throw notFoundPage("Open your order with the link from the shop's message.");
  }
  const shop = await openShop(c, `biz_${business}`);
  if (link && isOver(link)) {
    throw new PageError(410, {
      title: "This link has expired",
      text: `Ask ${shop.business.name} for a new one, or log in to the shop to see your orders.`,
      link: { href: `${shop.path}/account`, name: "Log in" },
      shop: shop.business.id,
    });
  }
  return { shop, token };
}

/**
 * Opens the order of the address, with its token or with the login of its customer.
 *
 * @throws NotFoundError for an order that the token does not open; PageError 404 for one that the
 * login does not open.
 */
export async function openOrder(c: PageContext): Promise<OpenedOrder> {
  const { shop, token } = await openShopOfToken(c);
  const id = c.req.param("order") ?? "";
  if (token !== "") return loadOrder(shop, { id, token, path: orderPath(id, token) });
  if (!shop.hasSession()) throw orderOfAccount(shop);
  try {
    return await loadOrder(shop, { id, token, path: ownOrderPath(shop, id) });
  } catch (error) {
    throw error instanceof NotFoundError ? orderOfAccount(shop) : error;
  }
}

const orderOfAccount = (shop: VisitedShop) =>
  new PageError(404, {
    title: "Order not found",
    text: `Log in to ${shop.business.name} as the customer who placed it.`,
    link: { href: `${shop.path}/account`, name: "Go to your account" },
    shop: shop.business.id,
  });

/** Opens the order of a payment link. @throws PageError 404 for a wrong link, 410 after its time. */
export async function openLinkedOrder(c: PageContext): Promise<OpenedOrder> {
  const token = c.req.param("token") ?? "";
  const link = linkToken.exec(token)?.groups;
  if (link === undefined) throw noPaymentLink();
  const shop = await openShop(c, `biz_${link.business}`).catch((error: unknown) => {
    throw error instanceof NotFoundError ? noPaymentLink() : error;
  });
  const ref = { id: `ord_${link.order}`, token, path: `/pay/${token}`, isLinked: true };
  return loadOrder(shop, ref).catch((error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
    throw isOver(link) ? expiredPaymentLink(shop) : noPaymentLink();
  });
}

const isOver = ({ expiry = "" }: Readonly<Record<string, string>>): boolean =>
  Number.parseInt(expiry, 36) <= Date.now();

const noPaymentLink = () =>
  new PageError(404, {
    title: "This is not a payment link",
    text: "Check the address, or ask the shop for a new link.",
  });

const expiredPaymentLink = (shop: VisitedShop) =>
  new PageError(410, {
    title: "This link has expired",
    text: `The order cannot be paid here any more. Ask ${shop.business.name} for a new link, or log in to see your orders and pay there.`,
    link: { href: `${shop.path}/account`, name: "Log in" },
    shop: shop.business.id,
  });

type OrderRef = Readonly<{ id: string; token: string; path: string; isLinked?: boolean }>;

async function loadOrder(
  shop: VisitedShop,
  { id, token, path, isLinked = false }: OrderRef,
): Promise<OpenedOrder> {
  const [{ data: order }, { data: payment }] = await Promise.all([
    shop.api.orders.get(id, { token }),
    shop.api.orders.getPaymentStatus(id, { token }),
  ]);
  const returnUrl = shop.origin + (token === "" ? path : path.replace(token, "{BILL_TOKEN}"));
  return { shop, order, payment, token, path, returnUrl, isLinked };
}

/** A path with one more parameter. */
export const withParameter = (path: string, parameter: string): string =>
  `${path}${path.includes("?") ? "&" : "?"}${parameter}`;

/** Whether the provider or the shopper has something left to do. */
const isWaiting = ({ provider_status: status }: Payment): boolean =>
  status === "requires_action" || status === "processing";

/** Asks the provider about a payment that waits, so that loading the page shows its outcome. */
export async function verifyWaitingPayment(
  c: PageContext,
  opened: OpenedOrder,
): Promise<OpenedOrder> {
  const { shop, order, payment, token } = opened;
  const hasCode = payment.next_action.type === "authorization";
  // What has to be confirmed on a phone is checked when the shopper says that it is.
  const isUnconfirmed = payment.next_action.type === "await" && c.req.query("check") === undefined;
  if (!isWaiting(payment) || hasCode || isUnconfirmed || order.status === "cancelled")
    return opened;
  const verified = await shop.api.orders.verifyPayment(order.id, { token }).then(
    ({ data }) => data,
    (error: unknown) => {
      // The page then shows what is known: the order changed meanwhile, or it was loaded too often.
      if (error instanceof DukaError && [409, 429].includes(error.status)) return null;
      throw error;
    },
  );
  if (verified === null) return opened;
  if (verified.provider_status === payment.provider_status) return { ...opened, payment: verified };
  const { data: current } = await shop.api.orders.get(order.id, { token });
  return { ...opened, order: current, payment: verified };
}
