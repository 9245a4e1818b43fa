import type { PageContext } from "../env.ts";
import { createFormMarks } from "../http/forms.ts";
import { respondWithPage } from "../http/respond.tsx";
import { emptyForm, Notice } from "../parts/fields.tsx";
import { ShopDocument } from "../parts/layout.tsx";
import { loadCartCount } from "../shop/cart-count.ts";
import { type OpenedOrder, openLinkedOrder, verifyWaitingPayment } from "./open-order.ts";
import { OrderItems, OrderTotals } from "./order-items.tsx";
import { leadOn, type OrderView } from "./order-page.tsx";
import { PaymentSection } from "./payment-section.tsx";

/** The page of a payment link: what is owed, and how it is paid. Everybody with the link opens it. */
export async function respondWithLinkedOrder(c: PageContext): Promise<Response> {
  const opened = await verifyWaitingPayment(c, await openLinkedOrder(c));
  return showLinkedOrder(c, opened, { isLeaving: c.req.query("continue") !== undefined });
}

export async function showLinkedOrder(
  c: PageContext,
  opened: OpenedOrder,
  { form = emptyForm, key, isLeaving = false, status = 200 }: OrderView = {},
): Promise<Response> {
  const { shop, order } = opened;
  const [cartCount, fresh] = await Promise.all([loadCartCount(shop), createFormMarks(c)]);
  const marks = key === undefined ? fresh : { ...fresh, key };
  if (isLeaving) leadOn(c, opened);
  const title = `Order ${order.order_number}`;
  const hasErrors = form.message !== undefined || Object.keys(form.errors).length > 0;
  const page = (
    <ShopDocument
      shop={shop}
      cartCount={cartCount}
      facts={{ title: hasErrors ? `Error: ${title}` : title }}
    >
      <h1>{title}</h1>
      {form.message && <Notice kind="bad">{form.message}</Notice>}
      <div class="columns">
        <div class="steps">
          <PaymentSection opened={opened} marks={marks} form={form} />
          <p class="hint">
            Is this your order? <a href={`${shop.path}/account`}>Log in to see all of it</a>, or{" "}
            <a href={`${shop.path}/support?order=${encodeURIComponent(order.order_number)}`}>
              ask the shop
            </a>
            .
          </p>
        </div>
        <section class="summary" aria-labelledby="summary">
          <h2 id="summary">
            {opened.payment.payment_methods.length > 0 ? "What you pay for" : "What was ordered"}
          </h2>
          <OrderItems shop={shop} order={order} />
          <OrderTotals shop={shop} order={order} />
        </section>
      </div>
    </ShopDocument>
  );
  return respondWithPage(c, page, { status });
}
