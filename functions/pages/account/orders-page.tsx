import type { PageContext } from "../env.ts";
import { createFormMarks } from "../http/forms.ts";
import { respondWithPage } from "../http/respond.tsx";
import { showLogIn } from "../login/log-in-page.tsx";
import { type Order, ownOrderPath } from "../order/open-order.ts";
import { stateOf } from "../order/order-page.tsx";
import { formatPrice, formatTime } from "../parts/format.ts";
import { loadCartCount } from "../shop/cart-count.ts";
import { openShop, type VisitedShop } from "../shop/open-shop.ts";
import { MoreLink, readCursor } from "../shop/sorting.tsx";
import { AccountPage } from "./account-page.tsx";
import { loadAccount, sectionPath } from "./load-account.ts";

const pageSize = 10;

/** The orders of the customer, the newest first; the form that logs in for everybody else. */
export async function respondWithOrders(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const cursor = readCursor(c);
  const account = await loadAccount(shop, () =>
    shop.api.orders.list({ ...(cursor && { cursor }), limit: pageSize }).page(),
  );
  if (account === null) {
    const next = c.req.query("next") ?? "orders";
    const isLoggedOut = c.req.query("logged_out") !== undefined;
    return showLogIn(c, { shop, next, isLoggedOut });
  }
  const { customer, content: orders } = account;
  const [cartCount, marks] = await Promise.all([loadCartCount(shop), createFormMarks(c)]);
  const page = (
    <AccountPage shop={shop} customer={customer} section="orders" {...{ cartCount, marks }}>
      {orders.items.length === 0 ? (
        <div class="empty">
          <p>
            You have no orders yet. An order with another address or number opens with the link in
            its message.
          </p>
          <a class="button" href={shop.home}>
            See all products
          </a>
        </div>
      ) : (
        <ul class="records">
          {orders.items.map((order) => (
            <OrderEntry shop={shop} order={order} />
          ))}
        </ul>
      )}
      <MoreLink path={sectionPath(shop, "orders")} cursor={orders.nextCursor} sort="newest" />
    </AccountPage>
  );
  return respondWithPage(c, page);
}

const OrderEntry = ({ shop, order }: Readonly<{ shop: VisitedShop; order: Order }>) => {
  const { name, kind } = stateOf(order);
  return (
    <li>
      <div class="record-head">
        <div>
          <h2>
            <a href={ownOrderPath(shop, order.id)}>Order {order.order_number}</a>
          </h2>
          <p class="hint">{formatTime(order.created_at, shop.business)}</p>
        </div>
        <p class={`state ${kind}`}>{name}</p>
      </div>
      <p class="record-sum">
        <span>{summaryOf(order)}</span>
        <strong class="amount">{formatPrice(order.total_price, shop.business)}</strong>
      </p>
    </li>
  );
};

const shownItems = 3;

/** What was ordered, in one line: 2 × House tea, Bread and 3 more. */
function summaryOf({ items }: Pick<Order, "items">): string {
  const names = items
    .slice(0, shownItems)
    .map(({ quantity, product_name: name }) => (quantity > 1 ? `${quantity} × ${name}` : name));
  const more = items.length - names.length;
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
}
