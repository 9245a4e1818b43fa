import { useShop } from "../../api/shop.ts";
import { Card } from "../../ui/card.tsx";
import { MoneyField } from "../../ui/field.tsx";
import type { FormPart } from "../../ui/use-form.ts";
import { TaxClassField } from "../products/editor/price-card.tsx";
import type { CompositeValues } from "./composite-values.ts";

/** The price of a composite before its choices are added. */
export function BasePriceCard({ form }: Readonly<{ form: FormPart<CompositeValues> }>) {
  const { membership } = useShop();
  const { currency } = membership;
  return (
    <Card title="Price">
      <div className="fields">
        <MoneyField
          label="Base price"
          currency={currency}
          required
          hint="The prices of the choices are added."
          {...form.field("base_price")}
        />
        <MoneyField
          label="Price in lists"
          currency={currency}
          hint="Left empty, it is the base price."
          {...form.field("default_price")}
        />
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
