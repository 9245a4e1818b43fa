import type { Business, PaymentMethod } from "../../../shared/businesses/index.ts";
import { normalizePhone } from "../../../shared/customers/index.ts";
import { sha256 } from "../../../shared/kernel/index.ts";
import { toRequestKey } from "../../../shared/orders/index.ts";
import { type MobileMoney, mobileMoneyProvider } from "../../../shared/payments/index.ts";
import type { PaymentField, PaymentFormState } from "../pages/payment/payment-form.ts";

/** A submitted payment form: the payment that it asks for, or what is wrong with its fields. */
export type SubmittedPayment = Readonly<{
  key: string;
  values: PaymentFormState["values"];
}> &
  (
    | Readonly<{ type: "valid"; method: PaymentMethod; mobileMoney: MobileMoney | null }>
    | Readonly<{ type: "invalid"; errors: ReadonlyMap<PaymentField, string> }>
  );

/** What was typed is shown again up to this length. */
const maxValueLength = 40;
const keyForm = /^[\x21-\x7e]{1,64}$/;

type Offer = Readonly<{
  business: Pick<Business, "defaultCountry">;
  methods: readonly PaymentMethod[];
  /** Creates the key of a form that came without a usable one. */
  newKey: () => string;
}>;

/** Parses the fields of the payment page's form, and checks all of them. */
export function parsePaymentForm(
  fields: URLSearchParams,
  { business, methods, newKey }: Offer,
): SubmittedPayment {
  const value = (name: string) => (fields.get(name) ?? "").trim().slice(0, maxValueLength);
  const values = {
    payment_method: value("payment_method"),
    phone_number: value("phone_number"),
    provider: value("provider"),
  };
  const sentKey = fields.get("key") ?? "";
  const key = keyForm.test(sentKey) ? sentKey : newKey();
  const method = methods.find((offered) => offered === values.payment_method);
  if (method === undefined) {
    const errors = new Map([["payment_method", "Choose how you want to pay."]] as const);
    return { type: "invalid", key, values, errors };
  }
  if (method !== "mobile_money") return { type: "valid", key, values, method, mobileMoney: null };
  const phoneNumber = normalizePhone(values.phone_number, business.defaultCountry);
  const provider = mobileMoneyProvider(values.provider);
  if (phoneNumber !== null && provider !== null) {
    return { type: "valid", key, values, method, mobileMoney: { phoneNumber, provider } };
  }
  const errors = new Map<PaymentField, string>();
  if (phoneNumber === null)
    errors.set("phone_number", "Enter the whole phone number of the account.");
  if (provider === null) errors.set("provider", "Choose the network of the number.");
  return { type: "invalid", key, values, errors };
}

/** Identifies a form that is sent twice. A form with another content is another request. */
export async function requestKeyOf(
  orderId: string,
  { key, values }: Pick<SubmittedPayment, "key" | "values">,
): Promise<string> {
  const content = JSON.stringify(values);
  const slot = await sha256(JSON.stringify(["payment link", orderId, key, content]));
  return toRequestKey(slot, await sha256(content));
}
