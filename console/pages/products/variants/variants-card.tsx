import { useDeferredValue, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import type { FormPart } from "../../../ui/use-form.ts";
import { useFormat } from "../../../ui/use-format.ts";
import type { ProductValues } from "../product-values.ts";
import { BulkVariantsDialog } from "./bulk-variants-dialog.tsx";
import { OptionsDialog } from "./options-dialog.tsx";
import { VariantDialog } from "./variant-dialog.tsx";
import { VariantGrid, type VariantRow } from "./variant-grid.tsx";
import { newVariant, type VariantValues } from "./variant-values.ts";

/** From this number on, the variants can be filtered and changed together. */
const manyVariants = 6;

type VariantsForm = FormPart<ProductValues>;
type VariantDialogState = "options" | "bulk" | Readonly<{ variant: VariantValues }> | null;

/** The options of a product, such as size and colour, and the variants that can be bought. */
export function VariantsCard({ form }: Readonly<{ form: VariantsForm }>) {
  const { variants, variant_axes: axes } = form.values;
  const [dialog, setDialog] = useState<VariantDialogState>(null);
  const [filter, setFilter] = useState("");
  const matching = useFilteredRows(variants, filter);
  const [isErrorsOnly, setIsErrorsOnly] = useState(false);
  const wrong = matching.filter(({ position }) => firstError(form, position) !== undefined);
  const shown = isErrorsOnly && wrong.length > 0 ? wrong : matching;
  const closeDialog = () => setDialog(null);
  const open = (variant: VariantValues) => setDialog({ variant });
  return (
    <Card
      title="Variants"
      isFlush={variants.length > 0}
      actions={
        <>
          <Button
            icon="plus"
            onClick={() =>
              open(
                newVariant(
                  "",
                  Object.fromEntries(axes.map((axis) => [axis.name, axis.values[0] ?? ""])),
                ),
              )
            }
          >
            Add a variant
          </Button>
          <Button icon="settings" onClick={() => setDialog("options")}>
            Options
          </Button>
        </>
      }
    >
      {variants.length === 0 ? (
        <p className="muted">
          Add options such as size or colour when the product comes in several forms.
        </p>
      ) : (
        <>
          {variants.length >= manyVariants && (
            <VariantTools
              total={variants.length}
              count={shown.length}
              filter={filter}
              onFilter={setFilter}
              onBulk={() => setDialog("bulk")}
            />
          )}
          {wrong[0] && (
            <div className="card-body row">
              <span className="form-error">
                {wrong[0].variant.name}: {firstError(form, wrong[0].position)}
              </span>
              {wrong.length < matching.length && (
                <Button onClick={() => setIsErrorsOnly(!isErrorsOnly)}>
                  {isErrorsOnly ? "Show all variants" : "Show what is wrong"}
                </Button>
              )}
            </div>
          )}
          <VariantGrid
            rows={shown}
            total={variants.length}
            basePrice={form.values.default_price}
            errorAt={(position, field) => form.errorAt(`variants.${position}.${field}`)}
            onChange={(position, changes) =>
              form.change({ variants: changeAt(form.values.variants, position, changes) })
            }
            onOpen={open}
          />
        </>
      )}
      {form.field("variants").error && (
        <p className="form-error card-body">{form.field("variants").error}</p>
      )}
      {dialog === "options" && <OptionsDialog form={form} onClose={closeDialog} />}
      {dialog === "bulk" && (
        <BulkVariantsDialog
          form={form}
          keys={new Set(shown.map(({ variant }) => variant.key))}
          onClose={closeDialog}
        />
      )}
      {dialog !== null && typeof dialog === "object" && (
        <VariantDialog form={form} variant={dialog.variant} onClose={closeDialog} />
      )}
    </Card>
  );
}

const fieldsOfVariants = [
  "name",
  "sku",
  "price_adjustment",
  "compare_at_price",
  "weight_grams",
  "axis_values",
] as const;

/** What is wrong with a variant, also with fields that the grid does not show. */
const firstError = (form: VariantsForm, position: number): string | undefined =>
  fieldsOfVariants.flatMap((field) => form.errorAt(`variants.${position}.${field}`) ?? [])[0];

type VariantToolsProps = Readonly<{
  total: number;
  count: number;
  filter: string;
  onFilter: (filter: string) => void;
  onBulk: () => void;
}>;

function VariantTools({ total, count, filter, onFilter, onBulk }: VariantToolsProps) {
  const format = useFormat();
  return (
    <div className="filters">
      <input
        className="input search"
        type="search"
        aria-label="Filter the variants by name or SKU"
        placeholder="Name or SKU"
        value={filter}
        onChange={(event) => onFilter(event.target.value)}
      />
      <span className="row muted small" role="status">
        {count === total
          ? `${format.number(total)} variants`
          : `${format.number(count)} of ${format.number(total)} variants`}
      </span>
      <Button icon="edit" disabled={count === 0} onClick={onBulk}>
        {count === total ? "Change all" : `Change ${format.number(count)}`}
      </Button>
    </div>
  );
}

/** The rows whose name or SKU holds every word of the filter. */
function useFilteredRows(
  variants: readonly VariantValues[],
  filter: string,
): readonly VariantRow[] {
  const words = useDeferredValue(filter).toLowerCase().split(/\s+/);
  return variants.flatMap((variant, position) => {
    const text = `${variant.name} ${variant.sku}`.toLowerCase();
    return words.every((word) => text.includes(word)) ? [{ variant, position }] : [];
  });
}

const changeAt = (
  variants: readonly VariantValues[],
  position: number,
  changes: Partial<VariantValues>,
): readonly VariantValues[] =>
  variants.map((variant, index) => (index === position ? { ...variant, ...changes } : variant));
