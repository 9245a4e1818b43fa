import { useShop } from "../../../api/shop.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Checkbox, MoneyField, Select, TextField } from "../../../ui/field.tsx";
import { createRowKey } from "../../../ui/row-key.ts";
import type { AddOnValues } from "../product-values.ts";
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
export function AddOnsCard({ form }: CardProps) {
  const { value: groups, onChange, error } = form.field("add_ons");
  const replace = (position: number, group: AddOnValues) =>
    onChange(groups.toSpliced(position, 1, group));
  return (
    <Card
      title="Add-ons"
      actions={
        <Button icon="plus" onClick={() => onChange([...groups, newGroup()])}>
          Add a group
        </Button>
      }
    >
      {groups.length === 0 && (
        <p className="muted">Extras that shoppers choose with the product, with their prices.</p>
      )}
      <ul className="entries">
        {groups.map((group, position) => (
          <li key={group.key}>
            <GroupFields
              group={group}
              errorAt={(path) => form.errorAt(`add_ons.${position}.${path}`)}
              onChange={(changes) => replace(position, { ...group, ...changes })}
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
      <OptionRows group={group} errorAt={errorAt} onChange={onChange} />
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

function OptionRows({ group, errorAt, onChange }: Omit<GroupFieldsProps, "onRemove">) {
  const { membership } = useShop();
  const { options } = group;
  const replace = (position: number, changes: Partial<(typeof options)[number]>) =>
    onChange({
      options: options.map((option, index) =>
        index === position ? { ...option, ...changes } : option,
      ),
    });
  return (
    <ul className="stack">
      {options.map((option, position) => (
        <li key={option.key} className="field-row">
          <TextField
            label="Option"
            required
            maxLength={200}
            value={option.name}
            onChange={(name) => replace(position, { name })}
            error={errorAt(`options.${position}.name`)}
          />
          <MoneyField
            label="Price"
            currency={membership.currency}
            value={option.price}
            onChange={(price) => replace(position, { price })}
            error={errorAt(`options.${position}.price`)}
          />
          <IconButton
            icon="trash"
            label={`Remove ${option.name || "the option"}`}
            disabled={options.length === 1}
            onClick={() => onChange({ options: options.toSpliced(position, 1) })}
          />
        </li>
      ))}
    </ul>
  );
}
