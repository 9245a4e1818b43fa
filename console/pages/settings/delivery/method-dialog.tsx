import { useShop } from "../../../api/shop.ts";
import { CheckList } from "../../../ui/check-list.tsx";
import { FormDialog } from "../../../ui/dialog.tsx";
import { Checkbox, MoneyField, Select, TextArea, TextField } from "../../../ui/field.tsx";
import { optionsOf } from "../../../ui/filters.tsx";
import { keyIn } from "../../../ui/list-search.ts";
import { useDone } from "../../../ui/use-done.ts";
import { useForm } from "../../../ui/use-form.ts";
import { methodOptions } from "../payment-methods.ts";
import {
  type DeliveryMethod,
  type DeliveryZone,
  priceTypes,
  toMethodFields,
  toMethodValues,
} from "./method-values.ts";
import { PriceTiers } from "./price-tiers.tsx";

type MethodDialogProps = Readonly<{
  zone: DeliveryZone;
  method: DeliveryMethod | undefined;
  onClose: () => void;
}>;

/** Adds a delivery method to a zone, or changes one. */
export function MethodDialog({ zone, method, onClose }: MethodDialogProps) {
  const { api, membership } = useShop();
  const done = useDone();
  const form = useForm(toMethodValues(method), async (values) => {
    const fields = toMethodFields(values);
    if (method) await api.delivery.updateMethod(method.id, fields);
    else await api.delivery.createMethod({ ...fields, zone_id: zone.id });
    await done(`${values.name} is saved.`);
  });
  const { currency } = membership;
  const { price_type: type, tiers } = form.values;
  return (
    <FormDialog
      title={method ? `Edit ${method.name}` : `New method for ${zone.name}`}
      action="Save"
      isWide
      form={form}
      onClose={onClose}
    >
      <div className="fields">
        <TextField label="Name" required maxLength={200} {...form.field("name")} />
        <Select
          label="Price"
          options={optionsOf(priceTypes)}
          value={type}
          error={form.errorAt("price.type")}
          onChange={(text) => form.change({ price_type: keyIn(priceTypes, text) ?? "flat" })}
        />
        {type === "flat" ? (
          <MoneyField
            label="Amount"
            currency={currency}
            required
            {...form.field("amount")}
            error={form.errorAt("price.amount")}
          />
        ) : (
          <PriceTiers
            type={type}
            currency={currency}
            tiers={tiers}
            onChange={(changed) => form.change({ tiers: changed })}
            errorAt={(path) => form.errorAt(path === "" ? "price.tiers" : `price.tiers.${path}`)}
          />
        )}
        <MoneyField
          label="Free from a subtotal of"
          currency={currency}
          hint="Left empty, it is never free."
          {...form.field("free_over")}
        />
        <TextField label="Days at least" inputMode="numeric" {...form.field("min_days")} />
        <TextField label="Days at most" inputMode="numeric" {...form.field("max_days")} />
        <TextArea
          label="Description"
          hint="Shoppers read it beside the name."
          rows={2}
          maxLength={2000}
          {...form.field("description")}
        />
        <CheckList
          label="Paid by"
          hint="Left empty, every payment method of the shop."
          options={methodOptions}
          {...form.field("payment_methods")}
        />
        <Checkbox label="Shoppers can choose it" {...form.field("is_active")} />
      </div>
    </FormDialog>
  );
}
