import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import type { FormPart } from "../../ui/use-form.ts";
import { GroupEntries } from "../products/editor/group-entries.tsx";
import { PricedRows } from "../products/editor/priced-rows.tsx";
import { isPlainProduct, ProductPicker, useProducts } from "../products/product-picker.tsx";
import { type CompositeValues, type GroupValues, newChoice, newGroup } from "./composite-values.ts";

/** The groups from which shoppers choose what a composite contains. */
export const GroupsCard = ({ form }: Readonly<{ form: FormPart<CompositeValues> }>) => (
  <GroupEntries
    title="Choices"
    hint="Add what shoppers choose from."
    create={newGroup}
    {...form.field("groups")}
  >
    {(group, position, entry) => (
      <GroupFields
        group={group}
        errorAt={(path) => form.errorAt(`groups.${position}.${path}`)}
        {...entry}
      />
    )}
  </GroupEntries>
);

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
      <PricedRows
        rows={group.components}
        labelOf={({ product_id: id }) => (id === null ? "Choice" : "Choice, a product of the shop")}
        noun="the choice"
        errorAt={(position, field) =>
          errorAt(`components.${position}.${field}`) ??
          (field === "name" ? errorAt(`components.${position}.product_id`) : undefined)
        }
        onChange={(components) => onChange({ components })}
      />
      <div className="row apart">
        <AddChoices group={group} onChange={onChange} />
        <Button look="plain" icon="trash" onClick={onRemove}>
          Remove the group
        </Button>
      </div>
    </fieldset>
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
