import { useShop } from "../../api/shop.ts";
import { Card } from "../../ui/card.tsx";
import { MoneyField, Select, TextField } from "../../ui/field.tsx";
import type { FormPart } from "../../ui/use-form.ts";
import { TaxClassField } from "../products/editor/price-card.tsx";
import type { BundleValues } from "./bundle-values.ts";

const pricingTypes = [
  { value: "fixed", name: "A price of its own" },
  { value: "percent_off", name: "The sum of its products, less a percentage" },
  { value: "amount_off", name: "The sum of its products, less an amount" },
] as const;

/** The price of a bundle: its own, or one that follows its products. */
export function PricingCard({ form }: Readonly<{ form: FormPart<BundleValues> }>) {
  const { membership } = useShop();
  const { currency } = membership;
  const pricing = form.field("pricing");
  const price = form.field("default_price");
  const discount = form.field("discount");
  const valueError = form.errorAt("pricing.value");
  return (
    <Card title="Price">
      <div className="fields">
        <Select label="Price" isWhole options={pricingTypes} {...pricing} />
        {pricing.value === "fixed" && (
          <MoneyField
            label="Price"
            currency={currency}
            required
            {...price}
            error={price.error ?? valueError}
          />
        )}
        {pricing.value === "percent_off" && (
          <TextField
            label="Percent off"
            inputMode="decimal"
            required
            {...discount}
            error={valueError}
          />
        )}
        {pricing.value === "amount_off" && (
          <MoneyField
            label="Amount off"
            currency={currency}
            required
            {...discount}
            error={valueError}
          />
        )}
        <MoneyField
          label="Price before"
          currency={currency}
          hint="Shown struck through where it is higher."
          {...form.field("compare_at_price")}
        />
        <TaxClassField form={form} />
      </div>
    </Card>
  );
}
