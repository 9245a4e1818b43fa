import type { FormMarks } from "../http/forms.ts";
import { Field, type FormState, Notice, PostForm } from "../parts/fields.tsx";
import { formatPrice } from "../parts/format.ts";
import { methodName, PaymentMethods } from "../parts/payment-methods.tsx";
import { type OpenedOrder, withParameter } from "./open-order.ts";
import { paymentStateOf } from "./payment-state.ts";

type SectionProps = Readonly<{ opened: OpenedOrder; marks: FormMarks; form: FormState }>;

/** What became of the payment, and what is to be done about it. */
export const PaymentSection = ({ opened, marks, form }: SectionProps) => {
  const { payment, isLinked } = opened;
  const { type } = paymentStateOf(opened);
  const methods = payment.payment_methods.filter(
    (method) => type !== "due_in_cash" || method !== "cash",
  );
  const isFirst = type === "unpaid" || type === "failed" || (isLinked && type === "due_in_cash");
  return (
    <section class="panel" aria-labelledby="payment">
      <h2 id="payment">Payment</h2>
      <Outcome opened={opened} marks={marks} form={form} />
      {methods.length > 0 && isFirst && (
        <PayForm opened={opened} methods={methods} marks={marks} form={form} />
      )}
      {methods.length > 0 && !isFirst && (
        <details open={form.values.payment_method !== undefined}>
          <summary>Pay in another way</summary>
          <PayForm opened={opened} methods={methods} marks={marks} form={form} />
        </details>
      )}
    </section>
  );
};

const Outcome = ({ opened, marks, form }: SectionProps) => {
  const { shop, order, payment, path, isLinked } = opened;
  const { name } = shop.business;
  const due = formatPrice(order.total_price, shop.business);
  const paid = formatPrice(payment.amount, { ...shop.business, currency: payment.currency });
  const state = paymentStateOf(opened);
  switch (state.type) {
    case "cancelled":
      return (
        <p>
          {isLinked && "This order was cancelled. "}
          {cancelledTexts[payment.provider_status] ?? "Nothing was charged."}
        </p>
      );
    case "paid":
      return (
        <Notice kind="good">
          {paid} paid by {methodName(order.payment_method).toLowerCase()}. Thank you.
        </Notice>
      );
    case "refunded":
      return <Notice kind="info">{paid} paid, and paid back.</Notice>;
    case "partially_refunded":
      return <Notice kind="info">{paid} paid, and a part of it paid back.</Notice>;
    case "accepted":
      return (
        <Notice kind="info">
          {name} has accepted the order. Please pay them {due} directly; it cannot be paid here.
        </Notice>
      );
    case "under_review":
      return (
        <Notice kind="info">
          The payment is being checked: another amount arrived than was charged. {name} will get in
          touch with you; please do not pay again.
        </Notice>
      );
    case "no_method":
      return (
        <Notice kind="info">
          {due} is to be paid, but {name} takes no payments here at the moment. Please ask them how
          to pay.
        </Notice>
      );
    case "unpaid":
      return <p>{due} is to be paid.</p>;
    case "failed":
      return form.message === undefined ? (
        <Notice kind="bad">The payment did not go through. Nothing was charged for it.</Notice>
      ) : null;
    case "due_in_cash":
      return (
        <p>
          {isLinked && order.status !== "pending" && `${name} has accepted the order. `}
          You pay {due} in cash{" "}
          {order.bookings.length > 0 ? "at your appointment" : "when you get your order"}
          {isLinked && payment.payment_methods.some((method) => method !== "cash")
            ? ", or here now."
            : "."}
        </p>
      );
    case "leave":
      return (
        <>
          <p>Continue on the payment provider's page to pay {paid}.</p>
          <p>
            <a class="button" href={state.url}>
              Continue to the payment page
            </a>
          </p>
        </>
      );
    case "code":
      return (
        <CodeForm text={state.text} type={state.codeType} path={path} marks={marks} form={form} />
      );
    case "confirm":
    case "checking":
      return (
        <>
          <Notice kind="info">
            {state.type === "confirm" ? state.text : "The payment is being checked."}
          </Notice>
          <p>
            <a class="button" href={withParameter(path, "check=1")}>
              {state.type === "confirm" ? "I have confirmed it" : "Check again"}
            </a>
          </p>
        </>
      );
  }
};

const cancelledTexts: Readonly<Record<string, string>> = {
  captured: "Your money is on its way back to you.",
  refunded: "Your money has been paid back.",
  partially_refunded: "Your money has been paid back.",
};

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

type PayProps = SectionProps & Readonly<{ methods: OpenedOrder["payment"]["payment_methods"] }>;

const PayForm = ({ opened: { shop, order, path }, methods, marks, form }: PayProps) => {
  const usual = methods.find((method) => method === order.payment_method);
  const [first = ""] = methods.filter((method) => method !== "cash");
  const chosen = usual === undefined || usual === "cash" ? first || usual : usual;
  const shown = { ...form, values: { payment_method: chosen ?? "", ...form.values } };
  return (
    <PostForm action={path} marks={marks} class="pay-form">
      <PaymentMethods methods={methods} form={shown} legend="How do you want to pay?" />
      <button type="submit" name="action" value="pay">
        <span class="now">Pay {formatPrice(order.total_price, shop.business)}</span>
        <span class="later">Pay in cash later</span>
      </button>
    </PostForm>
  );
};
