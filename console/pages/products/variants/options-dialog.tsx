import { Button, IconButton } from "../../../ui/button.tsx";
import { FormDialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { createRowKey } from "../../../ui/row-key.ts";
import { type FormPart, useForm } from "../../../ui/use-form.ts";
import type { ProductValues } from "../product-values.ts";
import {
  type AxisDraft,
  countCombinations,
  fitVariants,
  maxVariants,
  toAxisDrafts,
  type ValueDraft,
} from "./fit-variants.ts";

const newValue = (): ValueDraft => ({ key: createRowKey(), from: null, value: "" });

const newAxis = (): AxisDraft => ({
  key: createRowKey(),
  from: null,
  label: "",
  values: [newValue()],
});

type OptionsDialogProps = Readonly<{ form: FormPart<ProductValues>; onClose: () => void }>;

/** The options of a product and their values. The variants are fitted to them. */
export function OptionsDialog({ form, onClose }: OptionsDialogProps) {
  const { variant_axes: axes } = form.values;
  const dialog = useForm(
    { axes: axes.length > 0 ? toAxisDrafts(axes) : [newAxis()] },
    async (values) => {
      const drafts = values.axes.map((axis) => ({
        ...axis,
        values: axis.values.filter(({ value }) => value.trim() !== ""),
      }));
      assertFit(drafts);
      form.change(fitVariants(form.values, drafts));
    },
  );
  const { value: drafts, onChange } = dialog.field("axes");
  const count = countCombinations(drafts);
  return (
    <FormDialog title="Options" action="Apply" form={dialog} isWide onClose={onClose}>
      <ul className="entries">
        {drafts.map((axis, position) => (
          <li key={axis.key}>
            <AxisFields
              axis={axis}
              onChange={(changed) => onChange(drafts.toSpliced(position, 1, changed))}
              onRemove={() => onChange(drafts.toSpliced(position, 1))}
            />
          </li>
        ))}
      </ul>
      <div className="row apart">
        <Button
          icon="plus"
          disabled={drafts.length >= 10}
          onClick={() => onChange([...drafts, newAxis()])}
        >
          Add an option
        </Button>
        {drafts.length > 0 && <span className="muted">{count} combinations</span>}
      </div>
    </FormDialog>
  );
}

/** @throws Error that says what does not fit. */
function assertFit(axes: readonly AxisDraft[]): void {
  const labels = axes.map(({ label }) => label.trim().toLowerCase());
  if (new Set(labels).size < labels.length) throw new Error("Two options have the same name.");
  for (const { label, values } of axes) {
    const texts = values.map(({ value }) => value.trim());
    if (texts.length === 0) throw new Error(`Give ${label} at least one value.`);
    if (new Set(texts).size < texts.length) throw new Error(`${label} has a value twice.`);
  }
  if (countCombinations(axes) > maxVariants) {
    throw new Error(`These are more than ${maxVariants} combinations. Remove some values.`);
  }
}

type AxisFieldsProps = Readonly<{
  axis: AxisDraft;
  onChange: (axis: AxisDraft) => void;
  onRemove: () => void;
}>;

function AxisFields({ axis, onChange, onRemove }: AxisFieldsProps) {
  const { label, values } = axis;
  const add = () => onChange({ ...axis, values: [...values, newValue()] });
  return (
    <fieldset className="stack" aria-label={label || "New option"}>
      <div className="field-row narrow">
        <TextField
          label="Option"
          placeholder="Size"
          required
          maxLength={200}
          value={label}
          onChange={(text) => onChange({ ...axis, label: text })}
          error={undefined}
        />
        <IconButton icon="trash" label={`Remove the option ${label}`} onClick={onRemove} />
      </div>
      <div className="value-list">
        {values.map((draft, position) => (
          <div key={draft.key} className="value">
            <input
              className="input"
              aria-label={`Value ${position + 1} of ${label || "the option"}`}
              maxLength={200}
              value={draft.value}
              ref={
                draft.from === null && draft.value === "" && position > 0 ? focusOnce : undefined
              }
              onChange={(event) =>
                onChange({
                  ...axis,
                  values: values.toSpliced(position, 1, { ...draft, value: event.target.value }),
                })
              }
              onKeyDown={(event) => {
                if (event.key !== "Enter" || draft.value.trim() === "") return;
                event.preventDefault();
                add();
              }}
            />
            <IconButton
              icon="close"
              label={`Remove the value ${draft.value}`}
              disabled={values.length === 1}
              onClick={() => onChange({ ...axis, values: values.toSpliced(position, 1) })}
            />
          </div>
        ))}
        <Button icon="plus" onClick={add}>
          Add a value
        </Button>
      </div>
    </fieldset>
  );
}

/** A value that was added just now is typed next. */
const focusOnce = (input: HTMLInputElement | null) => input?.focus();
