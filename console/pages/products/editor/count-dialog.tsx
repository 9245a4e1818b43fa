import { useQueryClient } from "@tanstack/react-query";
import { useShop } from "../../../api/shop.ts";
import { FormDialog } from "../../../ui/dialog.tsx";
import { Select, TextField } from "../../../ui/field.tsx";
import { useForm } from "../../../ui/use-form.ts";
import type { ProductValues } from "../product-values.ts";

type CountDialogProps = Readonly<{
  productId: string;
  /** The variants, when each is counted. */
  variants: ProductValues["variants"] | null;
  onClose: () => void;
}>;

/** Sets how many units lie at a location. */
export function CountDialog({ productId, variants, onClose }: CountDialogProps) {
  const { api, membership } = useShop();
  const queryClient = useQueryClient();
  const locations = membership.locations.map(({ id, name }) => ({ value: id, name }));
  const counted = variants?.flatMap(({ id, name }) =>
    id === undefined ? [] : [{ value: id, name }],
  );
  const form = useForm(
    {
      item_id: counted ? (counted[0]?.value ?? "") : productId,
      location_id: locations[0]?.value ?? "",
      quantity_on_hand: "",
    },
    async (values) => {
      await api.inventory.setStockLevel(values.item_id, values.location_id, {
        quantity_on_hand: Number(values.quantity_on_hand),
      });
      await queryClient.invalidateQueries();
    },
  );
  return (
    <FormDialog title="Set stock" action="Set stock" form={form} onClose={onClose}>
      {counted && <Select label="Variant" options={counted} {...form.field("item_id")} />}
      <Select label="Location" options={locations} {...form.field("location_id")} />
      <TextField
        label="Units on hand"
        inputMode="numeric"
        pattern="[0-9]*"
        required
        hint="With those that open orders hold."
        {...form.field("quantity_on_hand")}
      />
    </FormDialog>
  );
}
