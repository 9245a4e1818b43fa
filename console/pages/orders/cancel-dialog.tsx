import { useQueryClient } from "@tanstack/react-query";
import { useShop } from "../../api/shop.ts";
import { FormDialog } from "../../ui/dialog.tsx";
import { TextArea } from "../../ui/field.tsx";
import { useForm } from "../../ui/use-form.ts";
import type { Order } from "./order-status.tsx";

/** Cancels an order. What was paid for it is refunded. */
export function CancelDialog({ order, onClose }: Readonly<{ order: Order; onClose: () => void }>) {
  const { api } = useShop();
  const queryClient = useQueryClient();
  const form = useForm({ reason: "" }, async ({ reason }) => {
    await api.orders.cancel(order.id, reason === "" ? {} : { reason });
    await queryClient.invalidateQueries();
  });
  return (
    <FormDialog
      title={`Cancel ${order.order_number}`}
      action="Cancel the order"
      form={form}
      isDanger
      onClose={onClose}
    >
      <p>What was paid is refunded, and the stock is free again. This cannot be undone.</p>
      <TextArea
        label="Reason"
        hint="The customer may see it. It can be left out."
        maxLength={500}
        {...form.field("reason")}
      />
    </FormDialog>
  );
}
