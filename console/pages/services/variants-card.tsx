import { useShop } from "../../api/shop.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { MoneyField, TextField } from "../../ui/field.tsx";
import { createRowKey } from "../../ui/row-key.ts";
import type { Form } from "../../ui/use-form.ts";
import type { ServiceValues, VariantValues } from "./service.ts";
import "./services.css";

/** The kinds of a service that a shopper chooses from, such as short and long hair. */
export function VariantsCard({ form }: Readonly<{ form: Form<ServiceValues> }>) {
  const { membership } = useShop();
  const { variants } = form.values;
  const change = (key: string, changes: Partial<VariantValues>) =>
    form.change({
      variants: variants.map((one) => (one.key === key ? { ...one, ...changes } : one)),
    });
  const add = () =>
    form.change({
      variants: [
        ...variants,
        {
          key: createRowKey(),
          stored: null,
          name: "",
          price_adjustment: "0",
          duration_minutes: "",
        },
      ],
    });
  return (
    <Card
      title="Variants"
      actions={
        <Button icon="plus" onClick={add}>
          Add variant
        </Button>
      }
    >
      {variants.length === 0 ? (
        <p className="muted">Without variants there is one kind, at the price above.</p>
      ) : (
        <ul className="stack">
          {variants.map(({ key, name, price_adjustment: price, duration_minutes }, index) => (
            <li key={key} className="variant-row">
              <TextField
                label="Name"
                required
                maxLength={200}
                value={name}
                onChange={(text) => change(key, { name: text })}
                error={form.errorAt(`variants.${index}.name`)}
              />
              <MoneyField
                label="Added price"
                currency={membership.currency}
                required
                value={price}
                onChange={(text) => change(key, { price_adjustment: text })}
                error={form.errorAt(`variants.${index}.price_adjustment`)}
              />
              <TextField
                label="Minutes"
                type="number"
                placeholder={form.values.duration_minutes}
                value={duration_minutes}
                onChange={(text) => change(key, { duration_minutes: text })}
                error={form.errorAt(`variants.${index}.duration_minutes`)}
              />
              <IconButton
                icon="trash"
                label={`Remove ${name || "the variant"}`}
                onClick={() => form.change({ variants: variants.filter((one) => one.key !== key) })}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
