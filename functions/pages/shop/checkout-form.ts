import type { HandedOverBuyer } from "../http/cookies.ts";
import type { FormFields } from "../http/forms.ts";
import type { FormState } from "../parts/fields.tsx";
import { type DeliveryOption, isWholeAddress, type ShownCart } from "./delivery.tsx";
import type { KnownShopper } from "./known-shopper.ts";
import type { VisitedShop } from "./open-shop.ts";

export type PaymentMethod = VisitedShop["business"]["payment_methods"][number];

/** The fields of the checkout that are shown again with what was typed. */
const fieldNames = [
  "name",
  "email",
  "phone",
  "notes",
  "street_address",
  "city",
  "region",
  "postal_code",
  "country",
  "delivery_option",
  "payment_method",
  "mobile_phone",
  "mobile_network",
  "shown_total",
  "cart",
] as const;
type FieldName = (typeof fieldNames)[number];

export type CheckoutValues = Readonly<Record<FieldName, string>>;

export function readCheckoutValues(form: FormFields): CheckoutValues {
  const values = Object.fromEntries(fieldNames.map((name) => [name, form.get(name)]));
  return { ...emptyValues, ...values };
}

const emptyValues: CheckoutValues = {
  name: "",
  email: "",
  phone: "",
  notes: "",
  street_address: "",
  city: "",
  region: "",
  postal_code: "",
  country: "",
  delivery_option: "",
  payment_method: "",
  mobile_phone: "",
  mobile_network: "",
  shown_total: "",
  cart: "",
};

type KnownValues = Readonly<{
  methods: readonly PaymentMethod[];
  shopper: KnownShopper | null;
  /** What an agent has said of the buyer whose checkout it handed over; null for none. */
  buyer: HandedOverBuyer | null;
}>;

/**
 * What the form shows at first: what the cart knows of the delivery, what the shop knows of a
 * shopper who is logged in or an agent of its buyer, and the first way to pay.
 */
export function initialValues(
  { business }: VisitedShop,
  cart: ShownCart,
  { methods, shopper, buyer }: KnownValues,
): CheckoutValues {
  const ofCart = cart.delivery?.address ?? null;
  const address = (isWholeAddress(ofCart) ? ofCart : (shopper?.address ?? ofCart)) ?? {};
  const textOf = (name: string) => {
    const value = address[name];
    return typeof value === "string" ? value : "";
  };
  return {
    ...emptyValues,
    name: shopper?.customer.name ?? buyer?.name ?? (shopper === null ? "" : textOf("name")),
    email: shopper?.customer.email ?? buyer?.email ?? "",
    phone: shopper?.customer.phone ?? buyer?.phone ?? "",
    street_address: textOf("street_address"),
    city: textOf("city"),
    region: textOf("region"),
    postal_code: textOf("postal_code"),
    country: textOf("country") || business.default_country,
    delivery_option: cart.delivery?.option_id ?? "",
    payment_method: methods[0] ?? "",
  };
}

/** The address in the form of the API. */
export const addressOf = (values: CheckoutValues) => ({
  ...(values.name && { name: values.name }),
  ...(values.street_address && { street_address: values.street_address }),
  ...(values.city && { city: values.city }),
  ...(values.region && { region: values.region }),
  ...(values.postal_code && { postal_code: values.postal_code }),
  country: values.country,
});

/** Whether the chosen option brings the order to an address. */
export const needsAddress = (
  { delivery_option: chosen }: Pick<CheckoutValues, "delivery_option">,
  options: readonly DeliveryOption[],
): boolean => options.find(({ id }) => id === chosen)?.type === "delivery";

/** What is missing, in the order of the page. What the API checks better is left to it. */
export function findCheckoutErrors(
  values: CheckoutValues,
  {
    options,
    methods,
  }: Readonly<{ options: readonly DeliveryOption[]; methods: readonly PaymentMethod[] }>,
): FormState["errors"] {
  const errors: Partial<Record<FieldName, string>> = {};
  if (values.name === "") errors.name = "Enter your name.";
  if (values.email === "" && values.phone === "")
    errors.email = "Enter an e-mail address or a phone number.";
  if (options.length > 0 && !options.some(({ id }) => id === values.delivery_option))
    errors.delivery_option = "Choose how you get your order.";
  if (needsAddress(values, options)) {
    if (values.street_address === "") errors.street_address = "Enter street and house number.";
    if (values.city === "") errors.city = "Enter the town.";
  }
  if (!methods.some((method) => method === values.payment_method))
    errors.payment_method =
      methods.length === 0 ? "Choose another delivery." : "Choose how you pay.";
  if (values.payment_method === "mobile_money") {
    if (values.mobile_phone === "") errors.mobile_phone = "Enter the number of your account.";
    if (values.mobile_network === "") errors.mobile_network = "Choose the network.";
  }
  return omitEmpty(errors);
}

/** The API's names of fields, and those of the page. */
const pageNames: Readonly<Record<string, FieldName>> = {
  "customer.name": "name",
  "customer.email": "email",
  "customer.phone": "phone",
  "customer.notes": "notes",
  "address.country": "country",
  payment_method: "payment_method",
  "mobile_money_details.phone_number": "mobile_phone",
  "mobile_money_details.provider": "mobile_network",
};

/** What the API says about fields, by the names of the page; empty when it names none of them. */
export const fieldErrorsOf = (
  issues: readonly Readonly<{ field: string; message: string }>[],
): FormState["errors"] =>
  Object.fromEntries(
    issues.flatMap(({ field, message }) => {
      const name = pageNames[field];
      return name === undefined ? [] : [[name, sentenceOf(message)]];
    }),
  );

const sentenceOf = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

const omitEmpty = (errors: Readonly<Partial<Record<string, string>>>): FormState["errors"] =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  );
