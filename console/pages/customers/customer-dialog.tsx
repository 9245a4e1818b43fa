import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { FormDialog } from "../../ui/dialog.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { useForm } from "../../ui/use-form.ts";
import type { Customer } from "./customer.ts";

/** Creates a customer, or changes one. */
export function CustomerDialog({
  customer,
  onClose,
}: Readonly<{ customer?: Customer; onClose: () => void }>) {
  const { api } = useShop();
  const queryClient = useQueryClient();
  const navigate = useNavigate({ from: "/$businessId" });
  const form = useForm(
    {
      name: customer?.name ?? "",
      email: customer?.pending_email ?? customer?.email ?? "",
      phone: customer?.pending_phone ?? customer?.phone ?? "",
      tags: customer?.tags.join(", ") ?? "",
      is_tax_exempt: customer?.is_tax_exempt ?? false,
    },
    async ({ name, email, phone, tags, is_tax_exempt }) => {
      const input = {
        name: filled(name),
        email: filled(email),
        phone: filled(phone),
        tags: tags.split(",").flatMap((tag) => filled(tag) ?? []),
        is_tax_exempt,
      };
      if (customer) await api.customers.update(customer.id, input);
      else {
        const { data } = await api.customers.create(input);
        void navigate({
          to: "/$businessId/customers/$customerId",
          params: { customerId: data.id },
        });
      }
      await queryClient.invalidateQueries();
    },
  );
  return (
    <FormDialog
      title={customer ? "Edit customer" : "New customer"}
      action={customer ? "Save" : "Create"}
      form={form}
      onClose={onClose}
    >
      <TextField label="Name" maxLength={200} {...form.field("name")} />
      <TextField
        label="E-mail"
        type="email"
        hint={
          customer?.email_verified_at &&
          "The verified address stays until the customer verifies the new one."
        }
        {...form.field("email")}
      />
      <TextField
        label="Phone"
        type="tel"
        hint={
          customer?.phone_verified_at
            ? "The verified number stays until the customer verifies the new one."
            : "With the country's code, such as +233."
        }
        {...form.field("phone")}
      />
      <TextField
        label="Tags"
        hint="Separated by commas. Customers do not see them."
        {...form.field("tags")}
      />
      <Checkbox
        label="Tax exempt"
        hint="Orders of this customer are charged without tax."
        {...form.field("is_tax_exempt")}
      />
    </FormDialog>
  );
}

const filled = (text: string): string | null => text.trim() || null;
