import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { MoneyField, TextField } from "../../ui/field.tsx";
import type { FormPart } from "../../ui/use-form.ts";
import { isPlainProduct, ProductPicker, useProducts } from "../products/product-picker.tsx";
import { type CompositeValues, type GroupValues, newChoice, newGroup } from "./composite-values.ts";

/** The groups from which shoppers choose what a composite contains. */
export function GroupsCard({ form }: Readonly<{ form: FormPart<CompositeValues> }>) {
  const { value: groups, onChange, error } = form.field("groups");
  return (
    <Card
      title="Choices"
      actions={
        <Button icon="plus" onClick={() => onChange([...groups, newGroup()])}>
          Add a group
        </Button>
      }
    >
      {groups.length === 0 && <p className="muted">Add what shoppers choose from.</p>}
      <ul className="entries">
        {groups.map((group, position) => (
          <li key={group.key}>
            <GroupFields
              group={group}
              errorAt={(path) => form.errorAt(`groups.${position}.${path}`)}
              onChange={(changes) =>
                onChange(groups.toSpliced(position, 1, { ...group, ...changes }))
              }
              onRemove={() => onChange(groups.toSpliced(position, 1))}
            />
          </li>
        ))}
      </ul>
      {error && <p className="form-error">{error}</p>}
    </Card>
  );
}

type GroupFieldsProps = Readonly<{
  group: GroupValues;
  errorAt: (path: string) => string | undefined;
  onChange: (changes: Partial<GroupValues>) => void;
  onRemove: () => void;
}>;

function GroupFields({ group, errorAt, onChange, onRemove }: GroupFieldsProps) {
  return (
    <fieldset className="stack" aria-label={group.name || "New group"}>
      <div className="group-head">
        <TextField
          label="Group"
          required
          maxLength={200}
          value={group.name}
          onChange={(name) => onChange({ name })}
          error={errorAt("name")}
        />
        <TextField
          label="At least"
          inputMode="numeric"
          required
          value={group.min_selections}
          onChange={(count) => onChange({ min_selections: count })}
          error={errorAt("min_selections")}
        />
        <TextField
          label="At most"
          inputMode="numeric"
          required
          value={group.max_selections}
          onChange={(count) => onChange({ max_selections: count })}
          error={errorAt("max_selections")}
        />
      </div>
      <ChoiceRows group={group} errorAt={errorAt} onChange={onChange} />
      <div className="row apart">
        <AddChoices group={group} onChange={onChange} />
        <Button look="plain" icon="trash" onClick={onRemove}>
          Remove the group
        </Button>
      </div>
    </fieldset>
  );
}

function ChoiceRows({ group, errorAt, onChange }: Omit<GroupFieldsProps, "onRemove">) {
  const { membership } = useShop();
  const { components } = group;
  const replace = (position: number, changes: Partial<(typeof components)[number]>) =>
    onChange({
      components: components.map((component, index) =>
        index === position ? { ...component, ...changes } : component,
      ),
    });
  return (
    <ul className="stack">
      {components.map((component, position) => (
        <li key={component.key} className="field-row">
          <TextField
            label={component.product_id === null ? "Choice" : "Choice, a product of the shop"}
            required
            maxLength={200}
            value={component.name}
            onChange={(name) => replace(position, { name })}
            error={
              errorAt(`components.${position}.name`) ?? errorAt(`components.${position}.product_id`)
            }
          />
          <MoneyField
            label="Price"
            currency={membership.currency}
            value={component.price}
            onChange={(price) => replace(position, { price })}
            error={errorAt(`components.${position}.price`)}
          />
          <IconButton
            icon="trash"
            label={`Remove ${component.name || "the choice"}`}
            disabled={components.length === 1}
            onClick={() => onChange({ components: components.toSpliced(position, 1) })}
          />
        </li>
      ))}
    </ul>
  );
}

/** Adds choices: an ingredient with a name alone, or products of the shop. */
function AddChoices({ group, onChange }: Pick<GroupFieldsProps, "group" | "onChange">) {
  const [picked, setPicked] = useState<readonly string[] | null>(null);
  const products = useProducts(picked ?? []);
  const filled = group.components.filter(({ name }) => name.trim() !== "");
  const addPicked = () => {
    const added = (picked ?? []).flatMap((id) => {
      const product = products.get(id);
      if (!product) return [];
      return [{ ...newChoice(), name: product.name, product_id: id }];
    });
    if (added.length > 0) onChange({ components: [...filled, ...added] });
    setPicked(null);
  };
  return (
    <div className="row">
      <Button
        icon="plus"
        onClick={() => onChange({ components: [...group.components, newChoice()] })}
      >
        Add a choice
      </Button>
      <Button icon="products" onClick={() => setPicked([])}>
        Add products
      </Button>
      {picked && (
        <ProductPicker
          title="Add products"
          chosen={picked}
          accepts={isPlainProduct}
          onChange={setPicked}
          onClose={addPicked}
        />
      )}
    </div>
  );
}
