import { useShop } from "../../../api/shop.ts";
import { countries } from "../../../ui/countries.ts";
import { FormDialog } from "../../../ui/dialog.tsx";
import { Checkbox, Select, TextField } from "../../../ui/field.tsx";
import { useDone } from "../../../ui/use-done.ts";
import { useForm } from "../../../ui/use-form.ts";
import type { TaxRate } from "./rates-card.tsx";
import { useTaxClasses } from "./use-tax-classes.ts";

/** Adds a tax rate, or changes one. */
export function RateDialog({
  rate,
  onClose,
}: Readonly<{ rate: TaxRate | undefined; onClose: () => void }>) {
  const { api } = useShop();
  const done = useDone();
  const { data: classes = [] } = useTaxClasses();
  const form = useForm(
    {
      name: rate?.name ?? "",
      rate_percent: rate?.rate_percent ?? "",
      tax_class: rate?.tax_class ?? "standard",
      country: rate?.country ?? "",
      region: rate?.region ?? "",
      postal_code_prefix: rate?.postal_code_prefix ?? "",
      applies_to_delivery: rate?.applies_to_delivery ?? false,
      is_active: rate?.is_active ?? true,
    },
    async ({ region, postal_code_prefix: prefix, ...values }) => {
      const input = {
        ...values,
        region: region.trim() || null,
        postal_code_prefix: prefix.trim() || null,
      };
      if (rate) await api.tax.updateRate(rate.id, input);
      else await api.tax.createRate(input);
      await done(`${values.name} is saved.`);
    },
  );
  return (
    <FormDialog
      title={rate ? `Edit ${rate.name}` : "New tax rate"}
      action="Save"
      form={form}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Shoppers see it, such as VAT."
        required
        maxLength={100}
        {...form.field("name")}
      />
      <div className="fields">
        <TextField label="Rate (%)" inputMode="decimal" required {...form.field("rate_percent")} />
        <Select
          label="Class of products"
          options={classes.map(({ code, name }) => ({ value: code, name }))}
          {...form.field("tax_class")}
        />
        <Select
          label="Country"
          options={[{ value: "", name: "Choose" }, ...countries]}
          {...form.field("country")}
        />
        <TextField
          label="Region"
          hint="Left empty, the whole country."
          maxLength={200}
          {...form.field("region")}
        />
        <TextField
          label="Postal codes begin with"
          hint="Left empty, all of them."
          maxLength={20}
          {...form.field("postal_code_prefix")}
        />
      </div>
      <Checkbox label="Delivery is taxed too" {...form.field("applies_to_delivery")} />
      <Checkbox label="Charged now" {...form.field("is_active")} />
    </FormDialog>
  );
}
