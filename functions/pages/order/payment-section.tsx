import type { FormMarks } from "../http/forms.ts";
import { Field, type FormState, Notice, PostForm } from "../parts/fields.tsx";
import { formatPrice } from "../parts/format.ts";
import { methodName, PaymentMethods } from "../parts/payment-methods.tsx";
import { isPayable, type OpenedOrder } from "./open-order.ts";

type SectionProps = Readonly<{ opened: OpenedOrder; marks: FormMarks; form: FormState }>;

/** The provider's page on which the payment is continued; null when there is none. */
export const leavingUrl = ({
  order,
  payment: { next_action: next },
}: OpenedOrder): string | null =>
  order.status !== "cancelled" && next.type === "redirect" && URL.canParse(next.authorization_url)
    ? new URL(next.authorization_url).href
    : null;

/** What became of the payment, and what is to be done about it. */
export const PaymentSection = ({ opened, marks, form }: SectionProps) => {
  const { shop, order, payment } = opened;
  const others = shop.business.payment_methods.filter(
    (method) => payment.provider_status !== "pending" || method !== "cash",
  );
  const canPay = isPayable(order, payment) && others.length > 0;
  const isFailed = payment.provider_status === "failed" || payment.provider_status === "cancelled";
  return (
    <section class="panel" aria-labelledby="payment">
      <h2 id="payment">Payment</h2>
      <Outcome opened={opened} marks={marks} form={form} />
      {canPay && isFailed && <PayForm opened={opened} methods={others} marks={marks} form={form} />}
      {canPay && !isFailed && (
        <details open={form.values.payment_method !== undefined}>
          <summary>Pay in another way</summary>
          <PayForm opened={opened} methods={others} marks={marks} form={form} />
        </details>
      )}
    </section>
  );
};

const Outcome = ({ opened, marks, form }: SectionProps) => {
  const { shop, order, payment, path } = opened;
  const amount = formatPrice(order.total_price, shop.business);
  if (order.status === "cancelled") return <p>{cancelledText(payment.provider_status)}</p>;
  const leaving = leavingUrl(opened);
  const { next_action: next } = payment;
  switch (payment.provider_status) {
    case "captured":
      return (
        <Notice kind="good">
          {amount} paid by {methodName(order.payment_method).toLowerCase()}. Thank you.
        </Notice>
      );
    case "refunded":
      return <Notice kind="info">{amount} paid, and paid back.</Notice>;
    case "partially_refunded":
      return <Notice kind="info">{amount} paid, and a part of it paid back.</Notice>;
    case "failed":
    case "cancelled":
      return (
        <Notice kind="bad">The payment did not go through. Nothing was charged for it.</Notice>
      );
    case "pending":
      return (
        <p>
          You pay {amount} in cash{" "}
          {order.bookings.length > 0 ? "at your appointment" : "when you get your order"}.
        </p>
      );
    default:
      if (leaving !== null)
        return (
          <>
            <p>Continue on the payment provider's page to pay {amount}.</p>
            <p>
              <a class="button" href={leaving}>
                Continue to the payment page
              </a>
            </p>
          </>
        );
      if (next.type === "authorization")
        return (
          <CodeForm
            text={next.display_text}
            type={next.authorization_type}
            path={path}
            marks={marks}
            form={form}
          />
        );
      return (
        <>
          <Notice kind="info">
            {next.type === "await" ? next.display_text : "The payment is being checked."}
          </Notice>
          <p>
            <a class="button" href={path}>
              {next.type === "await" ? "I have confirmed it" : "Check again"}
            </a>
          </p>
        </>
      );
  }
};

function cancelledText(status: string): string {
  if (status === "captured") return "Your money is on its way back to you.";
  return status === "refunded" || status === "partially_refunded"
    ? "Your money has been paid back."
    : "Nothing was charged.";
}

type CodeProps = Readonly<{
  text: string;
  type: string;
  path: string;
  marks: FormMarks;
  form: FormState;
}>;

const codeFields: Readonly<
  Record<string, Readonly<{ label: string; type: "text" | "password" | "tel" | "date" }>>
> = {
  otp: { label: "One-time code", type: "text" },
  pin: { label: "PIN", type: "password" },
  phone: { label: "Phone number", type: "tel" },
  birthday: { label: "Date of birth", type: "date" },
  address: { label: "Address", type: "text" },
};

/** Asks for what the provider wants to know. What is typed is shown again nowhere: it may be a PIN. */
const CodeForm = ({ text, type, path, marks, form }: CodeProps) => {
  const { label, type: inputType } = codeFields[type] ?? { label: "Code", type: "text" };
  return (
    <PostForm action={path} marks={marks}>
      <p>{text}</p>
      <input type="hidden" name="code_type" value={type} />
      <Field
        name="code"
        label={label}
        type={inputType}
        autocomplete={type === "otp" ? "one-time-code" : "off"}
        {...(type === "otp" && { inputmode: "numeric" })}
        form={{ ...form, values: {} }}
        isRequired
      />
      <button type="submit" name="action" value="authorize">
        Confirm
      </button>
    </PostForm>
  );
};

type PayProps = SectionProps &
  Readonly<{ methods: OpenedOrder["shop"]["business"]["payment_methods"] }>;

const PayForm = ({ opened: { shop, order, path }, methods, marks, form }: PayProps) => {
  const shown = { ...form, values: { payment_method: methods[0] ?? "", ...form.values } };
  return (
    <PostForm action={path} marks={marks}>
      <PaymentMethods methods={methods} form={shown} legend="How do you want to pay?" />
      <button type="submit" name="action" value="pay">
        Pay {formatPrice(order.total_price, shop.business)}
      </button>
    </PostForm>
  );
};
