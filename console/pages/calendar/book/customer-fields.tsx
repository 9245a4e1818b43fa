import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useId } from "react";
import { useShop } from "../../../api/shop.ts";
import { Select, TextArea, TextField } from "../../../ui/field.tsx";
import type { Form } from "../../../ui/use-form.ts";
import type { Customer } from "../../customers/customer.ts";
import type { BookingValues } from "./booking-values.ts";

type FieldsProps = Readonly<{ form: Form<BookingValues> }>;

const payments = [
  { value: "cash", name: "At the shop" },
  { value: "link", name: "By payment link, within a day" },
] as const;

/** Who comes, and how they pay. The name suggests customers, who bring their contacts along. */
export function CustomerFields({ form }: FieldsProps) {
  const id = useId();
  const { customer } = form.values;
  const suggested = useSuggestedCustomers(customer.name);
  const change = (details: Partial<typeof customer>) =>
    form.change({ customer: { ...customer, ...details } });
  const field = (name: keyof typeof customer) => ({
    value: customer[name],
    error: form.errorAt(`customer.${name}`),
    onChange: (text: string) => change({ [name]: text }),
    autoComplete: "off",
  });
  return (
    <div className="fields">
      <TextField
        label="Name"
        maxLength={200}
        list={id}
        {...field("name")}
        onChange={(text) => {
          const known = suggested.find((one) => suggestionOf(one) === text);
          change(known ? contactOf(known) : { name: text });
        }}
      />
      <datalist id={id}>
        {suggested.map((one) => (
          <option key={one.id} value={suggestionOf(one)} />
        ))}
      </datalist>
      <TextField label="Phone" type="tel" maxLength={40} {...field("phone")} />
      <TextField label="E-mail" type="email" maxLength={254} {...field("email")} />
      <Select label="Payment" options={payments} {...form.field("payment")} />
      <TextArea
        label="Note"
        rows={2}
        maxLength={1000}
        hint="The customer can read it in the order."
        {...field("notes")}
      />
    </div>
  );
}

const shownCustomers = 8;
/** A shorter text fits too many customers. */
const leastLetters = 2;

/** The customers whose name or contact fits what was typed, when the role may read customers. */
function useSuggestedCustomers(typed: string): readonly Customer[] {
  const { api, id, can } = useShop();
  const search = useDeferredValue(typed.trim());
  const { data } = useQuery({
    queryKey: [id, "customers", "suggested", search],
    enabled: can("customers:read") && search.length >= leastLetters,
    queryFn: async ({ signal }) =>
      (await api.customers.list({ search, limit: shownCustomers }).page({ signal })).items,
    placeholderData: keepPreviousData,
  });
  return data ?? [];
}

const suggestionOf = ({ name, phone, email }: Customer): string =>
  [name, phone ?? email].filter(Boolean).join(" · ");

/** What is known of a customer; what is not stays as it was typed. */
const contactOf = ({ name, phone, email }: Customer) => ({
  name: name ?? "",
  ...(phone && { phone }),
  ...(email && { email }),
});
