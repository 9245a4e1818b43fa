import type { StorefrontSchemas } from "../../../sdk/src/storefront.ts";
import type { FormMarks } from "../http/forms.ts";
import { ownOrderPath } from "../order/open-order.ts";
import { Notice, PostForm } from "../parts/fields.tsx";
import { formatDate, formatPrice } from "../parts/format.ts";
import { intervalOf } from "../parts/plan-terms.tsx";
import type { VisitedShop } from "../shop/open-shop.ts";
import { sectionPath } from "./load-account.ts";

type Detail = StorefrontSchemas["SubscriptionDetail"];
type Status = Detail["subscription"]["status"];

const states: Readonly<Record<Status, Readonly<{ name: string; kind: string }>>> = {
  trialing: { name: "Trial", kind: "good" },
  active: { name: "Active", kind: "good" },
  paused: { name: "Paused", kind: "off" },
  past_due: { name: "Payment due", kind: "bad" },
  cancelled: { name: "Ended", kind: "off" },
};

type EntryProps = Readonly<{ shop: VisitedShop; detail: Detail; marks: FormMarks }>;

/** A subscription: what it brings, what it costs, what is due, and what can be changed. */
export const SubscriptionEntry = ({ shop, detail, marks }: EntryProps) => {
  const { subscription, items, plan } = detail;
  const { name, kind } = states[subscription.status];
  return (
    <li>
      <div class="record-head">
        <div>
          <h2>{items.map(nameOf).join(", ")}</h2>
          <p class="hint">
            {plan.name}: {formatPrice(subscription.amount, shop.business)} {intervalOf(plan)},
            before tax
          </p>
        </div>
        <p class={`state ${kind}`}>{name}</p>
      </div>
      <PaymentDue shop={shop} detail={detail} />
      <p>{futureOf(shop, detail)}</p>
      <Invoices shop={shop} detail={detail} />
      <Actions shop={shop} detail={detail} marks={marks} />
    </li>
  );
};

const nameOf = ({ product_name, variant_name, quantity }: Detail["items"][number]): string =>
  [
    quantity > 1 ? `${quantity} × ` : "",
    product_name,
    variant_name === null ? "" : ` (${variant_name})`,
  ].join("");

/** When it renews or ends. */
function futureOf({ business }: VisitedShop, { subscription, next_invoice: next }: Detail): string {
  const endsOn = formatDate(subscription.current_period_end, business);
  if (subscription.status === "cancelled") {
    return `Ended on ${formatDate(subscription.cancelled_at ?? subscription.current_period_end, business)}.`;
  }
  if (subscription.cancel_at_period_end) return `Ends on ${endsOn}. Nothing more is charged.`;
  if (subscription.status === "paused") {
    return `Paid until ${endsOn}. Nothing is charged while it is paused.`;
  }
  if (next === null) return `The current period ends on ${endsOn}.`;
  const amount = formatPrice(next.amount_due, business);
  return `Next payment: ${amount} on ${formatDate(next.scheduled_at, business)}.`;
}

type PartProps = Omit<EntryProps, "marks">;

/** What is owed, with the page of the order where it can be paid. */
const PaymentDue = ({ shop, detail: { subscription, recent_invoices: invoices } }: PartProps) => {
  const due = invoices.find(({ status }) => status === "open");
  if (due === undefined || subscription.status !== "past_due") return null;
  return (
    <Notice kind="bad">
      {formatPrice(due.amount_due, shop.business)} is not paid.{" "}
      <a href={ownOrderPath(shop, due.order_id)}>Pay now</a>
    </Notice>
  );
};

const invoiceStates = { open: "due", paid: "paid", void: "not charged" } as const;

const Invoices = ({ shop, detail: { recent_invoices: invoices } }: PartProps) =>
  invoices.length > 0 && (
    <details>
      <summary>Payments</summary>
      <ul class="brief">
        {invoices.map((invoice) => (
          <li>
            <span>
              <a href={ownOrderPath(shop, invoice.order_id)}>
                {formatDate(invoice.period_start, shop.business)} to{" "}
                {formatDate(invoice.period_end, shop.business)}
              </a>
            </span>
            <span class="amount">
              {formatPrice(invoice.amount_due, shop.business)}, {invoiceStates[invoice.status]}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );

/** What the status takes (docs/contract/storefront.md#subscription-moves). */
const Actions = ({ shop, detail: { subscription }, marks }: EntryProps) => {
  const { id, status, cancel_at_period_end: isEnding } = subscription;
  if (status === "cancelled") return null;
  const action = sectionPath(shop, "subscriptions");
  const isRunning = status === "trialing" || status === "active";
  const canResume = status === "paused" || (isEnding && isRunning);
  return (
    <>
      {(isRunning || canResume) && (
        <PostForm action={action} marks={marks} class="record-actions">
          <input type="hidden" name="subscription" value={id} />
          {canResume && (
            <button type="submit" name="action" value="resume">
              {status === "paused" ? "Continue the subscription" : "Keep the subscription"}
            </button>
          )}
          {isRunning && !isEnding && (
            <>
              <button type="submit" class="plain" name="action" value="pause">
                Pause
              </button>
              <button type="submit" class="plain" name="action" value="skip">
                Skip the next renewal
              </button>
            </>
          )}
        </PostForm>
      )}
      {!isEnding && (
        <details>
          <summary>Cancel the subscription</summary>
          <PostForm action={action} marks={marks}>
            <input type="hidden" name="subscription" value={id} />
            <p>
              {Date.parse(subscription.current_period_end) > Date.now()
                ? `It runs until ${formatDate(subscription.current_period_end, shop.business)}, and nothing is charged after that.`
                : "It ends at once, and nothing more is charged."}
            </p>
            <button type="submit" class="danger" name="action" value="cancel">
              Cancel this subscription
            </button>
          </PostForm>
        </details>
      )}
    </>
  );
};
