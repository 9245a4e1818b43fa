import type { PageContext } from "../env.ts";
import { createFormMarks, type FormMarks } from "../http/forms.ts";
import { respondWithPage } from "../http/respond.tsx";
import { emptyForm, type FormState, Notice, PostForm } from "../parts/fields.tsx";
import { addressLines, formatTime } from "../parts/format.ts";
import { Icon } from "../parts/icons.tsx";
import { ShopDocument } from "../parts/layout.tsx";
import { loadCartCount } from "../shop/cart-count.ts";
import { Bookings } from "./bookings.tsx";
import { type OpenedOrder, type Order, openOrder, verifyWaitingPayment } from "./open-order.ts";
import { OrderItems, OrderTotals } from "./order-items.tsx";
import { PaymentSection } from "./payment-section.tsx";
import { paymentStateOf } from "./payment-state.ts";
import { Shipments } from "./shipments.tsx";

/** The page of an order: how far it is, what was bought, and what can still be done. */
export async function respondWithOrder(c: PageContext): Promise<Response> {
  const opened = await verifyWaitingPayment(c, await openOrder(c));
  return showOrder(c, opened, { isLeaving: c.req.query("continue") !== undefined });
}

export type OrderView = Readonly<{
  form?: FormState;
  /** The key of a payment that is to be continued; a new one otherwise. */
  key?: string | undefined;
  /** Whether the browser continues to the payment provider's page by itself. */
  isLeaving?: boolean;
  status?: 200 | 400 | 409 | 422 | 429 | 503;
}>;

export async function showOrder(
  c: PageContext,
  opened: OpenedOrder,
  { form = emptyForm, key, isLeaving = false, status = 200 }: OrderView = {},
): Promise<Response> {
  const { shop, order } = opened;
  const [cartCount, fresh, services] = await Promise.all([
    loadCartCount(shop),
    createFormMarks(c),
    order.bookings.length > 0 ? shop.api.services.list() : null,
  ]);
  const marks = key === undefined ? fresh : { ...fresh, key };
  if (isLeaving) leadOn(c, opened);
  const page = (
    <ShopDocument
      shop={shop}
      cartCount={cartCount}
      facts={{ title: `Order ${order.order_number}` }}
    >
      <div class="order-head">
        <div>
          <h1>Order {order.order_number}</h1>
          <p class="hint">Placed {formatTime(order.created_at, shop.business)}</p>
        </div>
        <p class={`state ${stateOf(order).kind}`}>{stateOf(order).name}</p>
      </div>
      {form.message && <Notice kind="bad">{form.message}</Notice>}
      <div class="columns">
        <div class="steps">
          <Bookings opened={opened} services={services?.data ?? []} />
          <PaymentSection opened={opened} marks={marks} form={form} />
          <Timeline order={order} shop={shop} />
          <Shipments shop={shop} order={order} />
          <OrderActions opened={opened} marks={marks} />
        </div>
        <section class="summary" aria-labelledby="summary">
          <h2 id="summary">What you ordered</h2>
          <OrderItems shop={shop} order={order} />
          <OrderTotals shop={shop} order={order} />
          <Destination order={order} />
          <p>
            <a href={opened.path.replace("?", "/receipt?")}>Receipt to print</a>
          </p>
          <p>
            <a href={`${shop.path}/support?order=${encodeURIComponent(order.order_number)}`}>
              Question about this order?
            </a>
          </p>
        </section>
      </div>
    </ShopDocument>
  );
  return respondWithPage(c, page, { status });
}

/** A redirect after a form may not leave the host, so the page itself leads on to the provider. */
export function leadOn(c: PageContext, opened: OpenedOrder): void {
  const state = paymentStateOf(opened);
  if (state.type === "leave") c.header("Refresh", `0; url=${state.url}`);
}

const states: Readonly<Record<Order["status"], Readonly<{ name: string; kind: string }>>> = {
  pending: { name: "Received", kind: "open" },
  confirmed: { name: "Confirmed", kind: "open" },
  preparing: { name: "Being prepared", kind: "open" },
  ready: { name: "Ready", kind: "good" },
  completed: { name: "Completed", kind: "good" },
  cancelled: { name: "Cancelled", kind: "off" },
};

/** How far an order is, for a shopper. */
export const stateOf = ({
  status,
  payment_status: payment,
}: Pick<Order, "status" | "payment_status">) =>
  status === "pending" && payment === "failed" ? { name: "Not paid", kind: "bad" } : states[status];

type PartProps = Pick<OpenedOrder, "shop" | "order">;

const Timeline = ({ shop, order }: PartProps) => (
  <section class="panel" aria-labelledby="progress">
    <h2 id="progress">Progress</h2>
    <ol class="timeline">
      {order.status_history.map(({ status, at }) => (
        <li>
          <Icon name="check" />
          <span>{states[status].name}</span>
          <time datetime={at}>{formatTime(at, shop.business)}</time>
        </li>
      ))}
    </ol>
    {order.cancellation_reason && <p class="hint">Reason: {order.cancellation_reason}</p>}
  </section>
);

/** Where the order goes, or where it waits. */
const Destination = ({ order }: Readonly<{ order: Order }>) => {
  const address = addressLines(order.address_info);
  if (order.order_type !== "delivery" || address.length === 0) return null;
  return (
    <section aria-labelledby="address">
      <h3 id="address">Delivery to</h3>
      <p>
        {address.map((line) => (
          <>
            {line}
            <br />
          </>
        ))}
      </p>
    </section>
  );
};

const OrderActions = ({
  opened: { order, payment, path },
  marks,
}: Readonly<{ opened: OpenedOrder; marks: FormMarks }>) => {
  const isOver = order.status === "completed" || order.status === "cancelled";
  const isUnpaid = order.status === "pending" && payment.provider_status !== "captured";
  if (isOver) return null;
  return (
    <section class="panel" aria-labelledby="change">
      <h2 id="change">Change your mind?</h2>
      {isUnpaid && (
        <PostForm action={path} marks={marks}>
          <button type="submit" class="plain" name="action" value="reopen">
            Put everything back into the cart
          </button>
        </PostForm>
      )}
      <details>
        <summary>Cancel the order</summary>
        <PostForm action={path} marks={marks}>
          <p>
            {payment.provider_status === "captured"
              ? "You get your money back in the way in which you paid."
              : "Nothing will be charged."}
          </p>
          <button type="submit" class="danger" name="action" value="cancel">
            Cancel order {order.order_number}
          </button>
        </PostForm>
      </details>
    </section>
  );
};
