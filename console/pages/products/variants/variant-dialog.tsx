import { useShop } from "../../../api/shop.ts";
import { Button } from "../../../ui/button.tsx";
import { FormDialog } from "../../../ui/dialog.tsx";
import { Checkbox, MoneyField, Select, TextField } from "../../../ui/field.tsx";
import { type FormPart, useForm } from "../../../ui/use-form.ts";
import type { ProductValues } from "../product-values.ts";
import { variantName } from "./fit-variants.ts";
import type { VariantValues } from "./variant-values.ts";

type VariantDialogProps = Readonly<{
  form: FormPart<ProductValues>;
  /** One of the product's variants, or a new one. */
  variant: VariantValues;
  onClose: () => void;
}>;

/** All fields of one variant. What is changed here is stored with the product. */
export function VariantDialog({ form, variant, onClose }: VariantDialogProps) {
  const { membership } = useShop();
  const { variants, variant_axes: axes } = form.values;
  const position = variants.findIndex(({ key }) => key === variant.key);
  const isNew = position === -1;

  const dialog = useForm(variant, async (changed) => {
    const named =
      changed.name.trim() === ""
        ? { ...changed, name: variantName(axes, changed.axis_values) || "Variant" }
        : changed;
    const others = changed.is_default
      ? variants.map((one) => ({ ...one, is_default: false }))
      : variants;
    form.change({
      variants: isNew ? [...others, named] : others.toSpliced(position, 1, named),
    });
  });
  const { axis_values: axisValues } = dialog.values;
  return (
    <FormDialog
      title={isNew ? "New variant" : variant.name}
      action={isNew ? "Add" : "Apply"}
      form={dialog}
      onClose={onClose}
    >
      <div className="fields">
        {axes.map(({ name, label, values }) => (
          <Select
            key={name}
            label={label}
            options={values.map((value) => ({ value, name: value }))}
            value={axisValues[name] ?? ""}
            onChange={(value) => dialog.change({ axis_values: { ...axisValues, [name]: value } })}
            error={form.errorAt(`variants.${position}.axis_values.${name}`)}
          />
        ))}
        <TextField
          label="Name"
          isWhole
          required={axes.length === 0}
          maxLength={200}
          {...(axes.length > 0 && { hint: "Left empty, it is made from the options." })}
          {...dialog.field("name")}
        />
        <TextField label="SKU" maxLength={100} {...dialog.field("sku")} />
        <MoneyField
          label="Price difference"
          currency={membership.currency}
          hint="Added to the product's price. It may be negative."
          {...dialog.field("price_adjustment")}
        />
        <MoneyField
          label="Price before"
          currency={membership.currency}
          hint="Left empty, it follows the product's."
          {...dialog.field("compare_at_price")}
        />
        <TextField
          label="Weight (g)"
          inputMode="numeric"
          pattern="[0-9]*"
          hint="Left empty, it is the product's."
          {...dialog.field("weight_grams")}
        />
      </div>
      <Checkbox label="Active" {...dialog.field("is_active")} />
      <Checkbox
        label="Chosen by default"
        hint="Shoppers who choose none get this one."
        {...dialog.field("is_default")}
      />
      {!isNew && (
        <div>
          <Button
            look="plain"
            icon="trash"
            onClick={() => {
              form.change({ variants: variants.toSpliced(position, 1) });
              onClose();
            }}
          >
            Remove the variant
          </Button>
        </div>
      )}
    </FormDialog>
  );
}
