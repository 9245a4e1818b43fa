import { Button } from "../../../ui/button.tsx";
import { Checkbox, Select, TextField } from "../../../ui/field.tsx";
import { createRowKey } from "../../../ui/row-key.ts";
import type { AddOnValues } from "../product-values.ts";
import { GroupEntries } from "./group-entries.tsx";
import { PricedRows } from "./priced-rows.tsx";
import type { CardProps } from "./product-cards.tsx";

const selectionTypes = [
  { value: "single", name: "One option" },
  { value: "multiple", name: "Several options" },
] as const;

const newOption = () => ({ key: createRowKey(), id: undefined, name: "", price: "0" });

const newGroup = (): AddOnValues => ({
  key: createRowKey(),
  id: undefined,
  name: "",
  selection_type: "single",
  is_required: false,
  options: [newOption()],
});

/** What shoppers may add to a product, such as another syrup. */
export const AddOnsCard = ({ form }: CardProps) => (
  <GroupEntries
    title="Add-ons"
    hint="Extras that shoppers choose with the product, with their prices."
    create={newGroup}
    {...form.field("add_ons")}
  >
    {(group, position, entry) => (
      <GroupFields
        group={group}
        errorAt={(path) => form.errorAt(`add_ons.${position}.${path}`)}
        {...entry}
      />
    )}
  </GroupEntries>
);

type GroupFieldsProps = Readonly<{
  group: AddOnValues;
  errorAt: (path: string) => string | undefined;
  onChange: (changes: Partial<AddOnValues>) => void;
  onRemove: () => void;
}>;

function GroupFields({ group, errorAt, onChange, onRemove }: GroupFieldsProps) {
  return (
    <fieldset className="stack" aria-label={group.name || "New group"}>
      <div className="fields">
        <TextField
          label="Group"
          required
          maxLength={200}
          value={group.name}
          onChange={(name) => onChange({ name })}
          error={errorAt("name")}
        />
        <Select
          label="Shoppers choose"
          options={selectionTypes}
          value={group.selection_type}
          onChange={(selection) => onChange({ selection_type: selection })}
          error={errorAt("selection_type")}
        />
      </div>
      <Checkbox
        label="A choice is required"
        value={group.is_required}
        onChange={(isRequired) => onChange({ is_required: isRequired })}
        error={errorAt("is_required")}
      />
      <PricedRows
        rows={group.options}
        labelOf={() => "Option"}
        noun="the option"
        errorAt={(position, field) => errorAt(`options.${position}.${field}`)}
        onChange={(options) => onChange({ options })}
      />
      <div className="row apart">
        <Button icon="plus" onClick={() => onChange({ options: [...group.options, newOption()] })}>
          Add an option
        </Button>
        <Button look="plain" icon="trash" onClick={onRemove}>
          Remove the group
        </Button>
      </div>
    </fieldset>
  );
}
