import { useShop } from "../../../api/shop.ts";
import { useAll } from "../../../api/use-all.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Select, TextField } from "../../../ui/field.tsx";
import { useCategories } from "../../categories/category-tree.ts";
import type { CardProps } from "../editor/product-cards.tsx";
import {
  type Attribute,
  newProperty,
  type PropertyValues,
  propertyOf,
  propertyTypes,
} from "./property-values.ts";

/** Facts about a product that shoppers compare and filter by, such as its material. */
export function PropertiesCard({ form }: CardProps) {
  const { value: properties, onChange, error } = form.field("properties");
  const attributes = useAttributesOf(form.values.category_id);
  const missing = attributes.filter(({ key }) => !properties.some(({ name }) => name === key));
  return (
    <Card
      title="Properties"
      actions={
        <Button icon="plus" onClick={() => onChange([...properties, newProperty()])}>
          Add a property
        </Button>
      }
    >
      {properties.length === 0 && (
        <p className="muted">Facts that shoppers compare, such as the material or the origin.</p>
      )}
      <ul className="stack">
        {properties.map((property, position) => (
          <li key={property.key} className="property-row">
            <PropertyFields
              property={property}
              attribute={attributes.find(({ key }) => key === property.name)}
              onChange={(changes) =>
                onChange(properties.toSpliced(position, 1, { ...property, ...changes }))
              }
            />
            <IconButton
              icon="trash"
              label={`Remove ${property.name || "the property"}`}
              onClick={() => onChange(properties.toSpliced(position, 1))}
            />
          </li>
        ))}
      </ul>
      {missing.length > 0 && (
        <div className="row">
          <span className="small muted">Of its category:</span>
          {missing.map((attribute) => (
            <Button
              key={attribute.id}
              icon="plus"
              onClick={() => onChange([...properties, propertyOf(attribute)])}
            >
              {attribute.label}
            </Button>
          ))}
        </div>
      )}
      {error && <p className="form-error">{error}</p>}
    </Card>
  );
}

/** What a category and those above it prescribe for their products. */
function useAttributesOf(categoryId: string): readonly Attribute[] {
  const { api } = useShop();
  const categories = useCategories();
  const { data: attributes = [] } = useAll({
    key: ["attributes"],
    list: () => api.attributes.list({ limit: 100 }),
    select: (items) => items,
  });
  const node = categories.data?.find(({ category }) => category.id === categoryId);
  const owners = [categoryId, ...(node?.ancestors ?? [])];
  return attributes.filter(({ category_id: owner }) => owner !== null && owners.includes(owner));
}

type PropertyFieldsProps = Readonly<{
  property: PropertyValues;
  /** Prescribes the values; undefined for a property of the product alone. */
  attribute: Attribute | undefined;
  onChange: (changes: Partial<PropertyValues>) => void;
}>;

function PropertyFields({ property, attribute, onChange }: PropertyFieldsProps) {
  const { name, type, text } = property;
  const value = {
    label: attribute?.unit ? `Value (${attribute.unit})` : "Value",
    value: text,
    error: undefined,
    onChange: (changed: string) => onChange({ text: changed }),
  };
  const choices = type === "boolean" ? yesOrNo : choicesOf(attribute, text);
  return (
    <>
      <TextField
        label="Property"
        required
        maxLength={200}
        value={name}
        error={undefined}
        onChange={(changed) => onChange({ name: changed })}
      />
      <Select
        label="Type"
        options={propertyTypes}
        value={type}
        error={undefined}
        onChange={(changed) =>
          onChange({ type: changed, ...(changed === "boolean" && { text: "true" }) })
        }
      />
      {choices ? (
        <Select {...value} options={choices} />
      ) : (
        <TextField
          {...value}
          required={type !== "text"}
          inputMode={type === "number" ? "decimal" : "text"}
        />
      )}
    </>
  );
}

const yesOrNo = [
  { value: "true", name: "Yes" },
  { value: "false", name: "No" },
];

/** The values of a select, with the present one, which it may have lost; null for free text. */
function choicesOf(attribute: Attribute | undefined, present: string) {
  if (attribute?.type !== "select") return null;
  return [...new Set([present, ...attribute.values])].map((value) => ({
    value,
    name: value || "Choose",
  }));
}
