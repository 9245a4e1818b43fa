import { useState } from "react";
import { useShop } from "../../../api/shop.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { FormDialog } from "../../../ui/dialog.tsx";
import { MoneyField, Select } from "../../../ui/field.tsx";
import { useForm } from "../../../ui/use-form.ts";
import type { PriceValues } from "../product-values.ts";
import type { CardProps } from "./product-cards.tsx";

/** The prices at locations where they differ from the product's. */
export function LocationPricesCard({ form }: CardProps) {
  const { membership } = useShop();
  const [isAdding, setIsAdding] = useState(false);
  const { value: prices, onChange, error } = form.field("price_overrides");
  const nameOf = ({ location_id: locationId, variant_id: variantId }: PriceValues) => {
    const location = membership.locations.find(({ id }) => id === locationId)?.name ?? locationId;
    const variant = form.values.variants.find(({ id }) => id !== undefined && id === variantId);
    return variant ? `${location}, ${variant.name}` : location;
  };
  return (
    <Card
      title="Prices by location"
      actions={
        <Button icon="plus" onClick={() => setIsAdding(true)}>
          Add a price
        </Button>
      }
    >
      {prices.length === 0 && <p className="muted">The price is the same at all locations.</p>}
      <ul className="stack">
        {prices.map((price, position) => (
          <li key={`${price.location_id} ${price.variant_id}`} className="field-row narrow">
            <MoneyField
              label={nameOf(price)}
              currency={membership.currency}
              required
              value={price.price}
              onChange={(text) =>
                onChange(prices.toSpliced(position, 1, { ...price, price: text }))
              }
              error={form.errorAt(`price_overrides.${position}.price`)}
            />
            <IconButton
              icon="trash"
              label={`Remove the price at ${nameOf(price)}`}
              onClick={() => onChange(prices.toSpliced(position, 1))}
            />
          </li>
        ))}
      </ul>
      {error && <p className="form-error">{error}</p>}
      {isAdding && <PriceDialog form={form} onClose={() => setIsAdding(false)} />}
    </Card>
  );
}

function PriceDialog({ form, onClose }: CardProps & Readonly<{ onClose: () => void }>) {
  const { membership } = useShop();
  const { variants, price_overrides: prices, default_price: price } = form.values;
  const locations = membership.locations.map(({ id, name }) => ({ value: id, name }));
  const dialog = useForm(
    { location_id: locations[0]?.value ?? "", variant_id: "", price },
    async (added) => {
      const variantId = added.variant_id === "" ? null : added.variant_id;
      const others = prices.filter(
        ({ location_id: id, variant_id: variant }) =>
          id !== added.location_id || variant !== variantId,
      );
      form.change({ price_overrides: [...others, { ...added, variant_id: variantId }] });
    },
  );
  const variantOptions = variants.flatMap(({ id, name }) =>
    id === undefined ? [] : [{ value: id, name }],
  );
  return (
    <FormDialog title="Price at a location" action="Add" form={dialog} onClose={onClose}>
      <Select label="Location" options={locations} {...dialog.field("location_id")} />
      {variantOptions.length > 0 && (
        <Select
          label="For"
          options={[{ value: "", name: "The product" }, ...variantOptions]}
          {...dialog.field("variant_id")}
        />
      )}
      <MoneyField
        label="Price"
        currency={membership.currency}
        required
        {...dialog.field("price")}
      />
    </FormDialog>
  );
}
