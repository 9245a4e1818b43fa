import type { StorefrontSchemas } from "../../../sdk/src/storefront.ts";
import { Field, FieldNotes, type FormState, SelectField } from "./fields.tsx";

type ShopPaymentMethod = StorefrontSchemas["PublicBusiness"]["payment_methods"][number];

const names: Readonly<Record<ShopPaymentMethod, string>> = {
  cash: "Cash",
  mobile_money: "Mobile money",
  card: "Card",
};

const hints: Readonly<Record<ShopPaymentMethod, string>> = {
  cash: "You pay when you get your order, or at your appointment.",
  mobile_money: "You confirm the payment on your phone.",
  card: "You continue on the payment provider's page.",
};

export const methodName = (method: string): string =>
  Object.hasOwn(names, method) ? names[method as ShopPaymentMethod] : method; // safe: it is a key of the names

const networks = [
  { value: "", name: "Choose a network" },
  { value: "mtn", name: "MTN" },
  { value: "vod", name: "Telecel (Vodafone)" },
  { value: "atl", name: "AirtelTigo" },
  { value: "mpesa", name: "M-Pesa" },
] as const;

type MethodsProps = Readonly<{
  methods: readonly ShopPaymentMethod[];
  form: FormState;
  legend: string;
}>;

/** The ways to pay. The style shows the fields of mobile money when it is chosen. */
export const PaymentMethods = ({ methods, form, legend }: MethodsProps) => (
  <fieldset class="pay" aria-describedby={form.errors.payment_method && "payment_method-error"}>
    <legend>{legend}</legend>
    <FieldNotes name="payment_method" form={form} />
    <div class="choices tall">
      {methods.map((method) => (
        <label>
          <input
            type="radio"
            name="payment_method"
            value={method}
            checked={form.values.payment_method === method}
            required
          />
          <span>
            {names[method]}
            <small>{hints[method]}</small>
          </span>
        </label>
      ))}
    </div>
    {methods.includes("mobile_money") && (
      <div class="mobile-money">
        <Field
          name="mobile_phone"
          label="Mobile money number"
          type="tel"
          autocomplete="tel"
          maxlength={40}
          form={form}
          isOptionalHidden
        />
        <SelectField name="mobile_network" label="Network" options={networks} form={form} />
      </div>
    )}
  </fieldset>
);
