import { useShop } from "../../../api/shop.ts";
import { FormDialog } from "../../../ui/dialog.tsx";
import { MoneyField, Select, TextField } from "../../../ui/field.tsx";
import { type FormPart, useForm } from "../../../ui/use-form.ts";
import type { ProductValues } from "../product-values.ts";
import type { VariantValues } from "./variant-values.ts";

const activeOptions = [
  { value: "", name: "As it is" },
  { value: "active", name: "Active" },
  { value: "inactive", name: "Inactive" },
  { value: "removed", name: "Removed from the product" },
] as const;

type BulkValues = Readonly<{
  price_adjustment: string;
  compare_at_price: string;
  weight_grams: string;
  status: (typeof activeOptions)[number]["value"];
}>;

type BulkVariantsDialogProps = Readonly<{
  form: FormPart<ProductValues>;
  /** The variants to change. */
  keys: ReadonlySet<string>;
  onClose: () => void;
}>;

/** Changes several variants of a product together. What is left empty stays as it is. */
export function BulkVariantsDialog({ form, keys, onClose }: BulkVariantsDialogProps) {
  const { membership } = useShop();
  const empty: BulkValues = {
    price_adjustment: "",
    compare_at_price: "",
    weight_grams: "",
    status: "",
  };
  const dialog = useForm(empty, async ({ status, ...texts }) => {
    const filled = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ""));
    const active = status === "" ? {} : { is_active: status === "active" };
    const change = (variant: VariantValues): readonly VariantValues[] => {
      if (!keys.has(variant.key)) return [variant];
      return status === "removed" ? [] : [{ ...variant, ...filled, ...active }];
    };
    form.change({ variants: form.values.variants.flatMap(change) });
  });
  return (
    <FormDialog
      title={`Change ${keys.size} variants`}
      action="Apply"
      form={dialog}
      onClose={onClose}
    >
      <p className="muted">What you leave empty stays as it is.</p>
      <div className="fields">
        <MoneyField
          label="Price difference"
          currency={membership.currency}
          {...dialog.field("price_adjustment")}
        />
        <MoneyField
          label="Price before"
          currency={membership.currency}
          {...dialog.field("compare_at_price")}
        />
        <TextField
          label="Weight (g)"
          inputMode="numeric"
          pattern="[0-9]*"
          {...dialog.field("weight_grams")}
        />
        <Select label="Status" options={activeOptions} {...dialog.field("status")} />
      </div>
    </FormDialog>
  );
}
