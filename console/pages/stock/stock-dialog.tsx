import { useQueryClient } from "@tanstack/react-query";
import { useShop } from "../../api/shop.ts";
import { FormDialog } from "../../ui/dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { useForm } from "../../ui/use-form.ts";
import { useFormat } from "../../ui/use-format.ts";
import { itemIdOf, itemNameOf, type Level } from "./level.ts";

const ways = [
  { value: "add", name: "Add units" },
  { value: "remove", name: "Take units away" },
  { value: "count", name: "Enter what was counted" },
] as const;

type Way = (typeof ways)[number]["value"];

type FormValues = Readonly<{
  way: Way;
  delta: string;
  reason: string;
  quantity_on_hand: string;
  low_stock_threshold: string;
}>;

/** Changes a level by a difference and its reason, or to what was counted. */
export function StockDialog({ level, onClose }: Readonly<{ level: Level; onClose: () => void }>) {
  const { api } = useShop();
  const format = useFormat();
  const queryClient = useQueryClient();
  const first: FormValues = {
    way: "add",
    delta: "",
    reason: "",
    quantity_on_hand: String(level.quantity_on_hand),
    low_stock_threshold: String(level.low_stock_threshold),
  };
  const form = useForm(first, async (values) => {
    const key = [itemIdOf(level), level.location_id] as const;
    if (values.way === "count") {
      const threshold = Number(values.low_stock_threshold);
      await api.inventory.setStockLevel(...key, {
        quantity_on_hand: Number(values.quantity_on_hand),
        ...(threshold !== level.low_stock_threshold && { low_stock_threshold: threshold }),
      });
    } else {
      const units = Number(values.delta);
      await api.inventory.adjustStockLevel(...key, {
        delta: values.way === "add" ? units : -units,
        reason: values.reason,
      });
    }
    await queryClient.invalidateQueries();
  });
  return (
    <FormDialog title={itemNameOf(level)} action="Save" form={form} onClose={onClose}>
      <p className="muted">
        {format.number(level.quantity_on_hand)} on hand, {format.number(level.quantity_reserved)}{" "}
        reserved by orders.
      </p>
      <Select label="Change" options={ways} {...form.field("way")} />
      {form.values.way === "count" ? (
        <div className="fields">
          <TextField
            label="Units on hand"
            type="number"
            required
            {...form.field("quantity_on_hand")}
          />
          <TextField
            label="Low below"
            type="number"
            hint="The level is shown as low with fewer units available."
            required
            {...form.field("low_stock_threshold")}
          />
        </div>
      ) : (
        <>
          <TextField
            label="Units"
            type="number"
            required
            hint={afterwards(level, form.values, format.number)}
            {...form.field("delta")}
          />
          <TextField
            label="Reason"
            placeholder="Delivery, damaged, gift"
            maxLength={500}
            required
            {...form.field("reason")}
          />
        </>
      )}
    </FormDialog>
  );
}

function afterwards(
  { quantity_on_hand: onHand }: Level,
  { way, delta }: FormValues,
  formatNumber: (value: number) => string,
): string | undefined {
  if (delta === "") return undefined;
  const units = Number(delta);
  return `On hand afterwards: ${formatNumber(way === "add" ? onHand + units : onHand - units)}`;
}
