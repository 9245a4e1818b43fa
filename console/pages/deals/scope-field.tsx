import { useState } from "react";
import { Button, IconButton } from "../../ui/button.tsx";
import { type FieldState, Select } from "../../ui/field.tsx";
import { PickerDialog } from "../../ui/picker-dialog.tsx";
import { useCategories } from "../categories/category-tree.ts";
import { useCollections } from "../collections/use-collections.ts";
import { ProductPicker, useProducts } from "../products/product-picker.tsx";
import type { DealScope } from "./deal-values.ts";

const scopes = [
  { value: "order", name: "All products" },
  { value: "product", name: "Chosen products" },
  { value: "category", name: "Categories" },
  { value: "collection", name: "Collections" },
] as const;

type ScopeFieldProps = FieldState<DealScope> &
  Readonly<{ label: string; errorAt: (path: string) => string | undefined }>;

/** The products to which a deal applies: all, or those of chosen records. */
export function ScopeField({ label, value, onChange, error, errorAt }: ScopeFieldProps) {
  const [isPicking, setIsPicking] = useState(false);
  const names = useNames(value);
  const setIds = (ids: readonly string[]) => onChange({ ...value, ids });
  const idError = value.ids.flatMap((_, position) => errorAt(`ids.${position}`) ?? [])[0];
  return (
    <div className="field whole stack">
      <Select
        label={label}
        options={scopes}
        value={value.scope}
        onChange={(scope) => onChange({ scope, ids: [] })}
        error={error ?? errorAt("scope") ?? errorAt("ids") ?? idError}
      />
      {value.scope !== "order" && (
        <>
          {value.ids.length > 0 && (
            <ul className="chips">
              {value.ids.map((id) => (
                <li key={id} className="chip">
                  {names.get(id) ?? "Archived"}
                  <IconButton
                    icon="close"
                    label={`Remove ${names.get(id) ?? "what is archived"}`}
                    onClick={() => setIds(value.ids.filter((one) => one !== id))}
                  />
                </li>
              ))}
            </ul>
          )}
          <div>
            <Button icon="plus" onClick={() => setIsPicking(true)}>
              Choose {pluralNames[value.scope]}
            </Button>
          </div>
        </>
      )}
      {isPicking && (
        <ScopePicker value={value} onChange={setIds} onClose={() => setIsPicking(false)} />
      )}
    </div>
  );
}

const pluralNames: Readonly<Record<Exclude<DealScope["scope"], "order">, string>> = {
  product: "products",
  category: "categories",
  collection: "collections",
};

/** The names of a scope's records by their ids. */
function useNames({ scope, ids }: DealScope): ReadonlyMap<string, string> {
  const products = useProducts(scope === "product" ? ids : []);
  const categories = useCategories();
  const collections = useCollections();
  return new Map([
    ...[...products].map(([id, { name }]) => [id, name] as const),
    ...(categories.data ?? []).map(({ category, path }) => [category.id, path] as const),
    ...(collections.data ?? []).map(({ id, name }) => [id, name] as const),
  ]);
}

type ScopePickerProps = Readonly<{
  value: DealScope;
  onChange: (ids: readonly string[]) => void;
  onClose: () => void;
}>;

function ScopePicker({ value, onChange, onClose }: ScopePickerProps) {
  const [search, setSearch] = useState("");
  const categories = useCategories();
  const collections = useCollections();
  if (value.scope === "product") {
    return (
      <ProductPicker
        title="Choose products"
        chosen={value.ids}
        onChange={onChange}
        onClose={onClose}
      />
    );
  }
  const all =
    value.scope === "category"
      ? categories.data?.map(({ category, path }) => ({ id: category.id, name: path }))
      : collections.data?.map(({ id, name }) => ({ id, name }));
  const words = search.trim().toLowerCase();
  return (
    <PickerDialog
      title={value.scope === "category" ? "Choose categories" : "Choose collections"}
      search={search}
      onSearch={setSearch}
      choices={all?.filter(({ name }) => name.toLowerCase().includes(words)) ?? null}
      chosen={value.ids}
      onChange={onChange}
      onClose={onClose}
    />
  );
}
