import { useShop } from "../../api/shop.ts";
import { Button } from "../../ui/button.tsx";
import { countOf, useBulkChange } from "../../ui/use-bulk-change.ts";
import { nextStatuses, type Order, orderStatuses } from "./order-status.tsx";

/** The statuses that one call can give to several orders. Each is cancelled on its own page. */
const bulkStatuses = ["confirmed", "preparing", "ready", "completed"] as const;

/** Moves the orders that are selected in the list to a status that each of them may have next. */
export function BulkOrders({
  orders,
  onDone,
}: Readonly<{ orders: readonly Order[]; onDone: () => void }>) {
  const { api } = useShop();
  const bulk = useBulkChange();
  const possible = bulkStatuses.filter((status) =>
    orders.every((order) => nextStatuses[order.status].includes(status)),
  );

  async function changeStatus(status: (typeof bulkStatuses)[number]) {
    await bulk.run(
      () => api.orders.changeStatuses({ order_ids: orders.map(({ id }) => id), status }),
      (count) =>
        `${countOf(count, "order")} ${count === 1 ? "is" : "are"} ${orderStatuses[status].name.toLowerCase()}.`,
    );
    onDone();
  }

  return (
    <fieldset className="filters" aria-label="Selected orders">
      <strong className="row">{orders.length} selected</strong>
      {possible.map((status) => (
        <Button key={status} isBusy={bulk.isBusy} onClick={() => void changeStatus(status)}>
          Mark {orderStatuses[status].name.toLowerCase()}
        </Button>
      ))}
      {possible.length === 0 && (
        <span className="row muted">They have no next status in common.</span>
      )}
      <Button look="plain" onClick={onDone}>
        Clear the selection
      </Button>
    </fieldset>
  );
}
