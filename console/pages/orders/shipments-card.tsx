import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { FormDialog } from "../../ui/dialog.tsx";
import { Checkbox, Select, TextField } from "../../ui/field.tsx";
import { keyIn } from "../../ui/list-search.ts";
import { useChange } from "../../ui/use-change.ts";
import { useForm } from "../../ui/use-form.ts";
import { useFormat } from "../../ui/use-format.ts";
import type { Order } from "./order-status.tsx";

type Shipment = Order["shipments"][number];
type ShipmentStatus = Shipment["status"];

const shipmentStatuses: Readonly<
  Record<ShipmentStatus, Readonly<{ name: string; tone: Tone; next: readonly ShipmentStatus[] }>>
> = {
  label_created: { name: "Label created", tone: "neutral", next: ["shipped"] },
  shipped: {
    name: "Shipped",
    tone: "info",
    next: ["delivered", "in_transit", "failed", "returned"],
  },
  in_transit: { name: "In transit", tone: "info", next: ["delivered", "failed", "returned"] },
  delivered: { name: "Delivered", tone: "success", next: ["returned"] },
  failed: { name: "Failed", tone: "danger", next: [] },
  returned: { name: "Returned", tone: "warning", next: [] },
};

/** The parcels of an order, and the form that sends what is left. */
export function ShipmentsCard({ order }: Readonly<{ order: Order }>) {
  const { can } = useShop();
  const [isShipping, setIsShipping] = useState(false);
  const left = unitsLeft(order);
  const mayShip = can("orders:write") && left.length > 0 && order.status !== "cancelled";
  return (
    <Card
      title="Shipments"
      actions={
        mayShip && (
          <Button icon="truck" onClick={() => setIsShipping(true)}>
            Ship items
          </Button>
        )
      }
    >
      {order.shipments.length === 0 ? (
        <p className="muted">Nothing was shipped yet.</p>
      ) : (
        <ul className="entries">
          {order.shipments.map((shipment) => (
            <li key={shipment.id}>
              <ShipmentRow order={order} shipment={shipment} />
            </li>
          ))}
        </ul>
      )}
      {isShipping && <ShipDialog order={order} left={left} onClose={() => setIsShipping(false)} />}
    </Card>
  );
}

function ShipmentRow({ order, shipment }: Readonly<{ order: Order; shipment: Shipment }>) {
  const { api, can } = useShop();
  const format = useFormat();
  const change = useChange();
  const { name, tone, next } = shipmentStatuses[shipment.status];
  const nameOf = (lineId: string) =>
    order.items.find(({ id }) => id === lineId)?.product_name ?? "";
  return (
    <div className="stack">
      <div className="row apart">
        <div className="row">
          <Badge tone={tone}>{name}</Badge>
          {shipment.carrier && <span>{shipment.carrier}</span>}
          {shipment.tracking_url ? (
            <a href={shipment.tracking_url} rel="noreferrer" target="_blank">
              {shipment.tracking_number ?? "Track"}
            </a>
          ) : (
            shipment.tracking_number
          )}
        </div>
        <span className="small muted">{format.moment(shipment.created_at)}</span>
      </div>
      <p className="muted">
        {shipment.items
          .map(({ order_item_id: id, quantity }) => `${quantity} × ${nameOf(id)}`)
          .join(", ")}
      </p>
      {can("orders:write") && next.length > 0 && (
        <div className="row no-print">
          {next.map((status) => (
            <Button
              key={status}
              isBusy={change.isBusy}
              onClick={() =>
                void change.run(
                  () => api.orders.updateShipment(order.id, shipment.id, { status }),
                  `The shipment is ${shipmentStatuses[status].name.toLowerCase()}.`,
                )
              }
            >
              {shipmentStatuses[status].name}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

type LeftUnits = Readonly<{ lineId: string; name: string; quantity: number }>;

/** The units of each line that no shipment holds. Lines that need no shipping are refused by the API. */
function unitsLeft(order: Order): readonly LeftUnits[] {
  const taken = new Map<string, number>();
  for (const { items, status } of order.shipments) {
    if (status === "failed" || status === "returned") continue;
    for (const { order_item_id: id, quantity } of items) {
      taken.set(id, (taken.get(id) ?? 0) + quantity);
    }
  }
  return order.items.flatMap(({ id, product_name, variant_name, quantity }) => {
    const leftOver = quantity - (taken.get(id) ?? 0);
    const name = [product_name, variant_name].filter(Boolean).join(" · ");
    return leftOver > 0 ? [{ lineId: id, name, quantity: leftOver }] : [];
  });
}

type ShipDialogProps = Readonly<{ order: Order; left: readonly LeftUnits[]; onClose: () => void }>;

const firstStatuses = { shipped: "It leaves now", label_created: "It leaves later" } as const;

function ShipDialog({ order, left, onClose }: ShipDialogProps) {
  const { api } = useShop();
  const queryClient = useQueryClient();
  const [quantities, setQuantities] = useState<Readonly<Record<string, number>>>(
    Object.fromEntries(left.map(({ lineId, quantity }) => [lineId, quantity])),
  );
  const form = useForm(
    { status: "shipped", carrier: "", tracking_number: "", tracking_url: "", notify: true },
    async ({ status, notify, ...texts }) => {
      const items = left.flatMap(({ lineId }) => {
        const quantity = quantities[lineId] ?? 0;
        return quantity > 0 ? [{ order_item_id: lineId, quantity }] : [];
      });
      const filled = Object.entries(texts).filter(([, text]) => text !== "");
      await api.orders.createShipment(order.id, {
        items,
        notify,
        status: keyIn(firstStatuses, status),
        ...Object.fromEntries(filled),
      });
      await queryClient.invalidateQueries();
    },
  );
  return (
    <FormDialog title="Ship items" action="Create shipment" form={form} onClose={onClose}>
      <ul className="stack">
        {left.map(({ lineId, name, quantity }) => (
          <li key={lineId} className="row apart">
            <label htmlFor={lineId}>{name}</label>
            <span className="row">
              <input
                id={lineId}
                className="input quantity"
                type="number"
                min={0}
                max={quantity}
                value={quantities[lineId] ?? 0}
                onChange={(event) =>
                  setQuantities({ ...quantities, [lineId]: event.target.valueAsNumber || 0 })
                }
              />
              <span className="muted">of {quantity}</span>
            </span>
          </li>
        ))}
      </ul>
      <Select
        label="Status"
        options={Object.entries(firstStatuses).map(([value, name]) => ({ value, name }))}
        {...form.field("status")}
      />
      <TextField label="Carrier" maxLength={100} {...form.field("carrier")} />
      <TextField label="Tracking number" maxLength={100} {...form.field("tracking_number")} />
      <TextField
        label="Tracking address"
        type="url"
        placeholder="https://"
        {...form.field("tracking_url")}
      />
      <Checkbox label="Tell the customer" {...form.field("notify")} />
    </FormDialog>
  );
}
