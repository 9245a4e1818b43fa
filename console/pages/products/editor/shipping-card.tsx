import { Card } from "../../../ui/card.tsx";
import { Checkbox, Select, TextField } from "../../../ui/field.tsx";
import type { CardProps } from "./product-cards.tsx";

const kinds = [
  { value: "product", name: "Goods" },
  { value: "digital", name: "Digital: nothing is handed over" },
] as const;

/** What a delivery needs to know about a product. */
export function ShippingCard({ form }: CardProps) {
  const { value: type, onChange, error } = form.field("product_type");
  if (type === "service") return null;
  const isDigital = type === "digital";
  return (
    <Card title="Shipping">
      <div className="fields">
        {(type === "product" || isDigital) && (
          <Select label="Kind" options={kinds} value={type} onChange={onChange} error={error} />
        )}
        {!isDigital && (
          <>
            <Checkbox
              label="Requires shipping"
              hint="Units are delivered or picked up."
              {...form.field("requires_shipping")}
            />
            <TextField
              label="Weight of a unit (g)"
              inputMode="numeric"
              pattern="[0-9]*"
              {...form.field("weight_grams")}
            />
          </>
        )}
      </div>
    </Card>
  );
}
