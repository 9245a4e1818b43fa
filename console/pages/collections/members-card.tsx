import { useState } from "react";
import { Button, IconButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { Thumbnail } from "../../ui/thumbnail.tsx";
import type { FormPart } from "../../ui/use-form.ts";
import { ProductPicker, useProducts } from "../products/product-picker.tsx";
import type { CollectionValues } from "./collection-page.tsx";

const selections = [
  { value: "manual", name: "Chosen products" },
  { value: "rule", name: "All products with certain tags" },
] as const;

type MembersCardProps = Readonly<{ form: FormPart<CollectionValues> }>;

/** The products of a collection: chosen ones in their order, or all with certain tags. */
export function MembersCard({ form }: MembersCardProps) {
  const [isPicking, setIsPicking] = useState(false);
  const selection = form.field("selection");
  const { value: ids, onChange, error } = form.field("product_ids");
  const isManual = selection.value === "manual";
  return (
    <Card
      title="Products"
      actions={
        isManual && (
          <Button icon="plus" onClick={() => setIsPicking(true)}>
            Choose products
          </Button>
        )
      }
    >
      <div className="stack">
        <Select label="Selection" options={selections} {...selection} />
        {isManual ? (
          <ChosenProducts ids={ids} onChange={onChange} />
        ) : (
          <TextField
            label="Tags"
            required
            hint="Separate them by commas. Products that have all of them are in the collection."
            {...form.field("rule")}
            error={form.errorAt("rule") ?? form.errorAt("rule.tags")}
          />
        )}
        {error && <p className="form-error">{error}</p>}
      </div>
      {isPicking && (
        <ProductPicker
          title="Choose products"
          chosen={ids}
          onChange={onChange}
          onClose={() => setIsPicking(false)}
        />
      )}
    </Card>
  );
}

type ChosenProductsProps = Readonly<{
  ids: readonly string[];
  onChange: (ids: readonly string[]) => void;
}>;

function ChosenProducts({ ids, onChange }: ChosenProductsProps) {
  const products = useProducts(ids);
  if (ids.length === 0) return <p className="muted">No product is chosen yet.</p>;
  const move = (from: number, to: number) => {
    const [moved, ...others] = [ids[from], ...ids.toSpliced(from, 1)];
    if (moved !== undefined) onChange(others.flatMap((id) => id ?? []).toSpliced(to, 0, moved));
  };
  return (
    <ol className="entries">
      {ids.map((id, position) => {
        const product = products.get(id);
        const name = product?.name ?? "Archived product";
        return (
          <li key={id} className="row apart">
            <div className="with-thumb">
              <Thumbnail url={product?.image_url ?? null} />
              {name}
            </div>
            <div className="row">
              <IconButton
                icon="up"
                label={`Move ${name} up`}
                disabled={position === 0}
                onClick={() => move(position, position - 1)}
              />
              <IconButton
                icon="down"
                label={`Move ${name} down`}
                disabled={position === ids.length - 1}
                onClick={() => move(position, position + 1)}
              />
              <IconButton
                icon="trash"
                label={`Remove ${name}`}
                onClick={() => onChange(ids.toSpliced(position, 1))}
              />
            </div>
          </li>
        );
      })}
    </ol>
  );
}
