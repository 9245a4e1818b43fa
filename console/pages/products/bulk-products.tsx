import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { countOf, useBulkChange } from "../../ui/use-bulk-change.ts";
import type { ProductRecord } from "./product.tsx";

/** Activates, deactivates or archives the products that are selected in the list. */
export function BulkProducts({
  products,
  onDone,
}: Readonly<{ products: readonly ProductRecord[]; onDone: () => void }>) {
  const { api } = useShop();
  const bulk = useBulkChange();
  const [isArchiving, setIsArchiving] = useState(false);

  async function changeStatus(status: "active" | "inactive" | "archived") {
    await bulk.run(
      () => api.products.changeStatuses({ product_ids: products.map(({ id }) => id), status }),
      (count) => `${countOf(count, "product")} ${count === 1 ? "is" : "are"} ${status}.`,
    );
    onDone();
  }

  return (
    <fieldset className="filters" aria-label="Selected products">
      <strong className="row">{products.length} selected</strong>
      <Button isBusy={bulk.isBusy} onClick={() => void changeStatus("active")}>
        Activate
      </Button>
      <Button isBusy={bulk.isBusy} onClick={() => void changeStatus("inactive")}>
        Deactivate
      </Button>
      <Button isBusy={bulk.isBusy} onClick={() => setIsArchiving(true)}>
        Archive
      </Button>
      <Button look="plain" onClick={onDone}>
        Clear the selection
      </Button>
      {isArchiving && (
        <ConfirmDialog
          title={`Archive ${countOf(products.length, "product")}`}
          action="Archive"
          onConfirm={() => changeStatus("archived")}
          onClose={() => setIsArchiving(false)}
        >
          They leave the shop and this list for good. Orders that have them keep them.
        </ConfirmDialog>
      )}
    </fieldset>
  );
}
