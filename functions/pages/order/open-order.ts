import { NotFoundError, type StorefrontSchemas } from "../../../sdk/src/storefront.ts";
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
}>;

const billToken = /^bt_(?<business>[0-9a-z]{26})[0-9a-f]{40}$/;
const linkToken = /^(?<business>[0-9a-z]{26})-[0-9a-z]{26}-(?<expiry>[0-9a-z]{1,10})-[0-9a-f]{32}$/;

/** The path of an order's page for its customer, whose login opens it. */
export const ownOrderPath = (
  { business }: Pick<VisitedShop, "business">,
  orderId: string,
): string => `/orders/${encodeURIComponent(orderId)}?shop=${business.slug}`;

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
  if (link && Number.parseInt(link.expiry ?? "", 36) <= Date.now()) {
    throw new PageError(410, {
      title: "This link has expired",
      text: `Ask ${shop.business.name} for a new one, or log in to the shop to see your orders.`,
      link: { href: shop.home, name: "Go to the shop" },
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
  });

async function loadOrder(
  shop: VisitedShop,
  { id, token, path }: Readonly<{ id: string; token: string; path: string }>,
): Promise<OpenedOrder> {
  const [{ data: order }, { data: payment }] = await Promise.all([
    shop.api.orders.get(id, { token }),
    shop.api.orders.getPaymentStatus(id, { token }),
  ]);
  return { shop, order, payment, token, path };
}

/** Whether the provider or the shopper has something left to do. */
const isWaiting = ({ provider_status: status }: Payment): boolean =>
  status === "requires_action" || status === "processing";

/** Asks the provider about a payment that waits, so that loading the page shows its outcome. */
export async function verifyWaitingPayment(opened: OpenedOrder): Promise<OpenedOrder> {
  const { shop, order, payment, token } = opened;
  const hasCode = payment.next_action.type === "authorization";
  if (!isWaiting(payment) || hasCode || order.status === "cancelled") return opened;
  const { data: verified } = await shop.api.orders.verifyPayment(order.id, { token });
  if (verified.provider_status === payment.provider_status) return { ...opened, payment: verified };
  const { data: current } = await shop.api.orders.get(order.id, { token });
  return { ...opened, order: current, payment: verified };
}

/** Whether the order can be paid in another way, or once more. */
export const isPayable = (
  { status }: Pick<Order, "status">,
  { provider_status: payment }: Pick<Payment, "provider_status">,
): boolean =>
  status === "pending" &&
  ["failed", "cancelled", "requires_action", "processing", "pending"].includes(payment);
