import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Checkbox, Select, TextField } from "../../ui/field.tsx";
import { createRowKey } from "../../ui/row-key.ts";
import type { FormPart } from "../../ui/use-form.ts";
import type { ProductRecord } from "../products/product.tsx";
import { isPlainProduct, ProductPicker, useProducts } from "../products/product-picker.tsx";
import type { BundleValues, ComponentValues } from "./bundle-values.ts";

/** The products that a bundle contains. */
export function ComponentsCard({ form }: Readonly<{ form: FormPart<BundleValues> }>) {
  const [picked, setPicked] = useState<readonly string[] | null>(null);
  const { value: components, onChange, error } = form.field("components");
  const products = useProducts([...components.map(({ product_id: id }) => id), ...(picked ?? [])]);
  const addPicked = () => {
    const added = (picked ?? []).flatMap((id) => {
      const product = products.get(id);
      return product ? [newComponent(product)] : [];
    });
    onChange([...components, ...added]);
    setPicked(null);
  };
  return (
    <Card
      title="Contains"
      actions={
        <Button icon="plus" onClick={() => setPicked([])}>
          Add products
        </Button>
      }
    >
      {components.length === 0 && <p className="muted">Add the products that are sold together.</p>}
      <ul className="entries">
        {components.map((component, position) => (
          <li key={component.key}>
            <ComponentFields
              component={component}
              product={products.get(component.product_id)}
              errorAt={(path) => form.errorAt(`components.${position}.${path}`)}
              onChange={(changes) =>
                onChange(components.toSpliced(position, 1, { ...component, ...changes }))
              }
              onRemove={() => onChange(components.toSpliced(position, 1))}
            />
          </li>
        ))}
      </ul>
      {error && <p className="form-error">{error}</p>}
      {picked && (
        <ProductPicker
          title="Add products"
          chosen={picked}
          accepts={isPlainProduct}
          onChange={setPicked}
          onClose={addPicked}
        />
      )}
    </Card>
  );
}

const newComponent = ({ id, name }: ProductRecord): ComponentValues => ({
  key: createRowKey(),
  component_id: undefined,
  name,
  product_id: id,
  default_variant_id: "",
  quantity: "1",
  is_swappable: false,
});

type ComponentFieldsProps = Readonly<{
  component: ComponentValues;
  /** Undefined while it is loaded, and when it is archived. */
  product: ProductRecord | undefined;
  errorAt: (path: string) => string | undefined;
  onChange: (changes: Partial<ComponentValues>) => void;
  onRemove: () => void;
}>;

function ComponentFields({
  component,
  product,
  errorAt,
  onChange,
  onRemove,
}: ComponentFieldsProps) {
  const variants = (product?.variants ?? []).map(({ id, name }) => ({ value: id, name }));
  return (
    <fieldset className="stack" aria-label={component.name}>
      <div className="fields">
        <TextField
          label="Name in the bundle"
          required
          maxLength={200}
          value={component.name}
          onChange={(name) => onChange({ name })}
          error={errorAt("name") ?? errorAt("product_id")}
        />
        <TextField
          label="Quantity"
          inputMode="numeric"
          required
          value={component.quantity}
          onChange={(quantity) => onChange({ quantity })}
          error={errorAt("quantity")}
        />
        {variants.length > 0 && (
          <Select
            label="Variant"
            options={[{ value: "", name: "The product's default" }, ...variants]}
            value={component.default_variant_id}
            onChange={(id) => onChange({ default_variant_id: id })}
            error={errorAt("default_variant_id")}
          />
        )}
      </div>
      <div className="row apart">
        <Checkbox
          label="Shoppers may choose another variant"
          value={component.is_swappable}
          onChange={(isSwappable) => onChange({ is_swappable: isSwappable })}
          error={undefined}
        />
        <Button look="plain" icon="trash" onClick={onRemove}>
          Remove {component.name}
        </Button>
      </div>
    </fieldset>
  );
}
