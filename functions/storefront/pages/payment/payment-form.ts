import { html } from "hono/html";
import type { PaymentMethod } from "../../../../shared/businesses/index.ts";
import {
  type MobileMoneyProvider,
  mobileMoneyProviders,
} from "../../../../shared/payments/index.ts";

export type PaymentField = "payment_method" | "phone_number" | "provider" | "value";

/** The forms as they are shown: what was typed, and what is wrong with it. */
export type PaymentFormState = Readonly<{
  /** Identifies the submission: sending it twice charges once. */
  key: string;
  values: Readonly<Record<Exclude<PaymentField, "value">, string>>;
  /** Whether the form was submitted and refused. */
  isSubmitted: boolean;
  fieldErrors: ReadonlyMap<PaymentField, string>;
  /** What went wrong with the payment as a whole; null when nothing did. */
  error: string | null;
}>;

type PaymentFormInput = Readonly<{
  path: string;
  businessName: string;
  /** The total with its currency. */
  amount: string;
  methods: readonly PaymentMethod[];
  form: PaymentFormState;
}>;

/** The form with the payment methods. The style shows the fields of the chosen one. */
export function paymentForm({ path, businessName, amount, methods, form }: PaymentFormInput) {
  const [onlyMethod] = methods;
  const chosen = methods.find((method) => method === form.values.payment_method);
  return html`<form method="post" action="${path}" novalidate>
<input type="hidden" name="key" value="${form.key}">
${
  methods.length === 1 && onlyMethod !== undefined
    ? html`<input type="hidden" name="payment_method" value="${onlyMethod}">
<p>${methodName(onlyMethod)}. <span class="hint">${methodHint(onlyMethod, businessName)}</span></p>`
    : html`<fieldset${describedBy(form, "payment_method")}>
<legend>How do you want to pay?</legend>
${fieldError(form, "payment_method")}
${methods.map((method, index) => methodChoice({ method, businessName, isChosen: method === chosen, hasFocus: index === 0 && form.fieldErrors.has("payment_method") }))}
</fieldset>`
}
${methods.includes("mobile_money") ? mobileMoneyFields(form) : ""}
<button><span class="now">Pay ${amount}</span><span class="later">Pay in cash later</span></button>
</form>`;
}

type MethodChoice = Readonly<{
  method: PaymentMethod;
  businessName: string;
  isChosen: boolean;
  hasFocus: boolean;
}>;

const methodChoice = ({ method, businessName, isChosen, hasFocus }: MethodChoice) =>
  html`<label class="choice"><input type="radio" name="payment_method" value="${method}"${
    isChosen ? html` checked` : ""
  }${hasFocus ? html` autofocus` : ""}><span>${methodName(method)}</span><small>${methodHint(method, businessName)}</small></label>`;

function methodName(method: PaymentMethod): string {
  switch (method) {
    case "cash":
      return "Cash";
    case "mobile_money":
      return "Mobile money";
    case "card":
      return "Card";
  }
}

function methodHint(method: PaymentMethod, businessName: string): string {
  switch (method) {
    case "cash":
      return `Hand it over to ${businessName}.`;
    case "mobile_money":
      return "You confirm the payment on your phone.";
    case "card":
      return "You continue on the payment provider's page.";
  }
}

const networkNames: Readonly<Record<MobileMoneyProvider, string>> = {
  mtn: "MTN",
  vod: "Telecel (Vodafone)",
  atl: "AirtelTigo",
  mpesa: "M-Pesa",
};

const mobileMoneyFields = (form: PaymentFormState) => html`<fieldset class="phone">
<legend>Mobile money account</legend>
<div class="field"><label for="phone_number">Phone number</label>
<input id="phone_number" name="phone_number" type="tel" autocomplete="tel" maxlength="40" value="${form.values.phone_number}"${invalidMark(form, "phone_number")}>
${fieldError(form, "phone_number")}</div>
<div class="field"><label for="provider">Network</label>
<select id="provider" name="provider"${invalidMark(form, "provider")}>
<option value="">Choose a network</option>
${mobileMoneyProviders.map(
  (code) =>
    html`<option value="${code}"${code === form.values.provider ? html` selected` : ""}>${networkNames[code]}</option>`,
)}
</select>
${fieldError(form, "provider")}</div>
</fieldset>`;

type AuthorizationForm = Readonly<{
  path: string;
  authorizationType: string;
  text: string;
  form: PaymentFormState;
}>;

/** The form with the value that the provider asks for, such as a one-time code. */
export function authorizationForm({ path, authorizationType, form }: AuthorizationForm) {
  const { label, attributes } = authorizationInput(authorizationType);
  return html`<form method="post" action="${path}/authorize" novalidate>
<input type="hidden" name="type" value="${authorizationType}">
<div class="field"><label for="value">${label}</label>
<input id="value" name="value" maxlength="200"${attributes}${invalidMark(form, "value")}>
${fieldError(form, "value")}</div>
<button>Confirm</button>
</form>`;
}

/** What is typed is shown again nowhere: it may be a PIN. */
function authorizationInput(type: string) {
  switch (type) {
    case "otp":
      return {
        label: "One-time code",
        attributes: html` inputmode="numeric" autocomplete="one-time-code"`,
      };
    case "pin":
      return {
        label: "PIN",
        attributes: html` type="password" inputmode="numeric" autocomplete="off"`,
      };
    case "phone":
      return { label: "Phone number", attributes: html` type="tel" autocomplete="tel"` };
    case "birthday":
      return { label: "Date of birth", attributes: html` type="date" autocomplete="bday"` };
    case "address":
      return { label: "Address", attributes: html` autocomplete="street-address"` };
    default:
      return { label: "Code", attributes: html` autocomplete="off"` };
  }
}

const describedBy = ({ fieldErrors }: PaymentFormState, field: PaymentField) =>
  fieldErrors.has(field) ? html` aria-describedby="${field}-error"` : "";

/** Marks a wrong field; the first one gets the focus. */
function invalidMark(form: PaymentFormState, field: PaymentField) {
  if (!form.fieldErrors.has(field)) return "";
  const [first] = form.fieldErrors.keys();
  return html` aria-invalid="true"${describedBy(form, field)}${first === field ? html` autofocus` : ""}`;
}

function fieldError({ fieldErrors }: PaymentFormState, field: PaymentField) {
  const error = fieldErrors.get(field);
  return error === undefined ? "" : html`<p class="error" id="${field}-error">${error}</p>`;
}
