import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { useShop } from "../../api/shop.ts";
import { FormDialog } from "../../ui/dialog.tsx";
import { type Option, Select, TextField } from "../../ui/field.tsx";
import { useForm } from "../../ui/use-form.ts";

/** Counts an item at a location: the first count makes it appear in the stock. */
export function NewLevelDialog({ onClose }: Readonly<{ onClose: () => void }>) {
  const { api, membership } = useShop();
  const queryClient = useQueryClient();
  const [search, setSearch] = useState("");
  const items = useTrackedItems(search);
  const form = useForm(
    {
      item: "",
      location_id: membership.locations.find((one) => one.is_default)?.id ?? "",
      quantity_on_hand: "",
    },
    async ({ item, location_id, quantity_on_hand }) => {
      await api.inventory.setStockLevel(item, location_id, {
        quantity_on_hand: Number(quantity_on_hand),
      });
      await queryClient.invalidateQueries();
    },
  );
  return (
    <FormDialog title="Count an item" action="Save" form={form} onClose={onClose}>
      <TextField
        label="Find a product"
        type="search"
        value={search}
        onChange={setSearch}
        error={undefined}
        hint="Only products whose inventory is tracked have stock."
      />
      <Select
        label="Item"
        options={[{ value: "", name: items.length === 0 ? "Nothing found" : "Choose" }, ...items]}
        {...form.field("item")}
      />
      <div className="fields">
        {membership.locations.length > 1 && (
          <Select
            label="Location"
            options={membership.locations.map(({ id, name }) => ({ value: id, name }))}
            {...form.field("location_id")}
          />
        )}
        <TextField
          label="Units on hand"
          type="number"
          required
          {...form.field("quantity_on_hand")}
        />
      </div>
    </FormDialog>
  );
}

/** The products and variants with stock of their own that match a search. */
function useTrackedItems(text: string): readonly Option[] {
  const { api, id } = useShop();
  const search = useDeferredValue(text.trim());
  const { data = [] } = useQuery({
    queryKey: [id, "products", "tracked", search],
    queryFn: async ({ signal }) => {
      const input = { limit: 100, ...(search !== "" && { search }) };
      return (await api.products.list(input).page({ signal })).items;
    },
  });
  return data.flatMap(({ id: productId, name, inventory_type: kind, variants }) => {
    if (kind === "tracked") return [{ value: productId, name }];
    if (kind !== "variant_level") return [];
    return variants.map((variant) => ({ value: variant.id, name: `${name} · ${variant.name}` }));
  });
}
