import { useShop } from "../../../api/shop.ts";
import { useAll } from "../../../api/use-all.ts";
import { Card } from "../../../ui/card.tsx";
import { MoneyField, Select } from "../../../ui/field.tsx";
import type { CardProps } from "./product-cards.tsx";

/** The price of a product, and its tax. */
export function PriceCard({ form }: CardProps) {
  const { membership } = useShop();
  return (
    <Card title="Price">
      <div className="fields">
        <MoneyField
          label="Price"
          currency={membership.currency}
          required
          {...form.field("default_price")}
        />
        <MoneyField
          label="Price before"
          currency={membership.currency}
          hint="Shown struck through where it is higher."
          {...form.field("compare_at_price")}
        />
        <TaxClassField form={form} />
      </div>
    </Card>
  );
}

export function TaxClassField({ form }: CardProps) {
  const { api, can } = useShop();
  const { data: classes = [] } = useAll({
    key: ["tax-classes"],
    list: () => api.tax.listClasses({ limit: 100 }),
    select: (items) => items.map(({ code, name }) => ({ value: code, name })),
    isEnabled: can("settings:read"),
  });
  const field = form.field("tax_class");
  const isListed = classes.some(({ value }) => value === field.value);
  const options = isListed ? classes : [{ value: field.value, name: field.value }, ...classes];
  return <Select label="Tax class" options={options} {...field} />;
}
