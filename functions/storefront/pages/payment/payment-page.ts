import { html, raw } from "hono/html";
import type { PaymentMethod } from "../../../../shared/businesses/index.ts";
import { formatMoney } from "../../../../shared/kernel/index.ts";
import {
  isTaxIncluded,
  type Order,
  type OrderDetails,
  type OrderLine,
} from "../../../../shared/orders/index.ts";
import { authorizationForm, type PaymentFormState, paymentForm } from "./payment-form.ts";
import { offersPayment, type PaymentState } from "./payment-state.ts";
import { paymentStyle } from "./payment-style.ts";

type PaymentPage = Readonly<{
  /** The page's path, which contains the link's token. */
  path: string;
  businessName: string;
  details: Pick<OrderDetails, "order" | "payment">;
  state: PaymentState;
  methods: readonly PaymentMethod[];
  form: PaymentFormState;
  /** Whether the browser opens the provider's page without a click. */
  isLeaving: boolean;
}>;

type Html = ReturnType<typeof html>;

/**
 * Renders the page of a payment link: what is owed, and the form or what became of the payment
 * (docs/contract/storefront.md#payment-page). An expired link shows no lines and no amounts.
 */
export function paymentPage(page: PaymentPage): Html {
  const { businessName, state, form, details } = page;
  const title = `Order ${details.order.orderNumber}`;
  const hasErrors = form.error !== null || form.fieldErrors.size > 0;
  const url = page.isLeaving && state.type === "continue_at_provider" ? state.url : null;
  return pageDocument({
    title: `${hasErrors ? "Error: " : ""}${title} · ${businessName}`,
    head: url === null ? "" : html`<meta http-equiv="refresh" content="0;url=${url}">`,
    body: html`<header><p>${businessName}</p><h1>${title}</h1></header>
${state.type === "expired" ? "" : orderSummary(details.order)}
<section aria-labelledby="payment"${state.type === "expired" ? html` class="wide"` : ""}>
<h2 id="payment">Payment</h2>
${form.error === null ? "" : html`<p class="notice bad" role="alert">${form.error}</p>`}
${paymentSection(page)}
</section>`,
  });
}

/** A page without an order, such as that of an address that is no link. */
export const paymentMessagePage = ({ title, text }: Readonly<{ title: string; text: string }>) =>
  pageDocument({
    title,
    head: "",
    body: html`<header><h1>${title}</h1></header><section class="wide"><p>${text}</p></section>`,
  });

const pageDocument = ({
  title,
  head,
  body,
}: Readonly<{ title: string; head: Html | ""; body: Html }>) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
${head}
<style>${raw(paymentStyle)}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>`;

function orderSummary(order: Order): Html {
  const { currency, subtotalMinor, discountTotalMinor, deliveryTotalMinor } = order;
  const { taxTotalMinor, totalPriceMinor } = order;
  const amount = (minor: number) => amountText(minor, currency);
  const hasParts = discountTotalMinor > 0 || deliveryTotalMinor > 0 || taxTotalMinor > 0;
  return html`<section aria-labelledby="summary">
<h2 id="summary">What you pay for</h2>
<ul>${order.lines.map((line) => orderLine(line, currency))}</ul>
<dl>
${hasParts ? totalRow("Subtotal", amount(subtotalMinor)) : ""}
${discountTotalMinor > 0 ? totalRow("Discount", `−${amount(discountTotalMinor)}`) : ""}
${deliveryTotalMinor > 0 ? totalRow("Delivery", amount(deliveryTotalMinor)) : ""}
${taxTotalMinor > 0 ? totalRow(isTaxIncluded(order) ? "Tax included" : "Tax", amount(taxTotalMinor)) : ""}
<div class="total"><dt>Total</dt><dd class="amount">${amount(totalPriceMinor)}</dd></div>
</dl>
</section>`;
}

const totalRow = (name: string, amount: string) =>
  html`<div><dt>${name}</dt><dd class="amount">${amount}</dd></div>`;

function orderLine(line: OrderLine, currency: string): Html {
  const { productName, variantName, quantity, unitPriceMinor, details } = line;
  const addOns = details?.addOns.map(({ name }) => name) ?? [];
  const description = [variantName, ...addOns].filter((part) => part !== null).join(", ");
  return html`<li><span>${quantity} × ${productName}${
    description === "" ? "" : html`<small>${description}</small>`
  }</span><span class="amount">${amountText(unitPriceMinor * quantity, currency)}</span></li>`;
}

function paymentSection(page: PaymentPage): Html {
  const { state, form } = page;
  if (!offersPayment(state)) return outcomeNotice(page);
  // After a refused submission the form stands open, with what was typed in it.
  if (form.isSubmitted) return html`${methodForm(page)}`;
  switch (state.type) {
    case "confirm_on_phone":
      return html`${notice("Waiting for your confirmation", state.text)}
<p><a class="button" href="${page.path}?check=1">I have confirmed it</a></p>${otherWays(page)}`;
    case "continue_at_provider":
      return html`${notice("Continue on the payment page", openAmount(page))}
<p><a class="button" href="${state.url}">Continue to the payment page</a></p>${otherWays(page)}`;
    case "authorize":
      return html`${notice("One more step", state.text)}
${authorizationForm({ ...state, path: page.path, form })}${otherWays(page)}`;
    case "starting":
      return html`${notice("The payment is being started", "This takes a moment.")}
<p><a class="button plain" href="${page.path}?check=1">Check again</a></p>${otherWays(page)}`;
    case "failed":
      return html`${
        form.error === null
          ? html`<p class="notice bad"><strong>The last payment did not go through</strong>Nothing was charged for it. Pay again, or choose another way to pay.</p>`
          : ""
      }${methodForm(page)}`;
    case "due_in_cash":
      return html`${notice("To be paid in cash", `Pay ${page.businessName} directly, or pay here now.`)}${methodForm(page)}`;
    default:
      return html`${methodForm(page)}`;
  }
}

/** What is charged at the provider, when the last attempt was in another currency. */
function openAmount({ details: { order, payment } }: PaymentPage): string {
  const isSame = payment.currency === order.currency;
  return isSame
    ? "The payment is finished on the provider's page."
    : `You pay ${amountText(payment.amountMinor, payment.currency)} on the provider's page.`;
}

const otherWays = (page: PaymentPage) =>
  html`<details><summary>Pay in another way</summary>${methodForm(page)}</details>`;

function methodForm({ path, businessName, details, methods, form }: PaymentPage): Html {
  const { totalPriceMinor, currency } = details.order;
  const amount = amountText(totalPriceMinor, currency);
  return methods.length === 0
    ? html`<p>${businessName} takes no payments here at the moment. Please ask them how to pay.</p>`
    : paymentForm({ path, businessName, amount, methods, form });
}

const notice = (title: string, text: string) =>
  html`<p class="notice" role="status"><strong>${title}</strong>${text}</p>`;

function outcomeNotice({ state, businessName, details: { payment } }: PaymentPage): Html {
  switch (state.type) {
    case "paid": {
      const text = `${businessName} has received your payment of ${amountText(payment.amountMinor, payment.currency)}.`;
      return html`<p class="notice good" role="status"><strong>Paid</strong>${text}</p>`;
    }
    case "refunded":
      return notice("Refunded", "The payment was sent back. Nothing is to be paid.");
    case "cancelled":
      return notice("Cancelled", "This order was cancelled. Nothing is to be paid.");
    case "accepted":
      return notice(
        "Accepted",
        `${businessName} has accepted the order. Please pay them directly; it cannot be paid here any more.`,
      );
    case "under_review":
      return notice(
        "The payment is being checked",
        `Another amount arrived than was charged. ${businessName} will get in touch with you; please do not pay again.`,
      );
    case "paused":
      return notice("Not possible now", `${businessName} takes no payments at the moment.`);
    default:
      return notice(
        "This link has expired",
        `The order cannot be paid here any more. Please ask ${businessName} for a new link.`,
      );
  }
}

const amountText = (minor: number, currency: string): string =>
  `${formatMoney(minor, currency)} ${currency}`;
