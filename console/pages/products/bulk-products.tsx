import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useBulkChange } from "../../ui/use-bulk-change.ts";
import type { ProductRecord } from "./product.tsx";

/** Activates, deactivates or archives the products that are selected in the list. */
export function BulkProducts({
  products,
  onDone,
}: Readonly<{ products: readonly ProductRecord[]; onDone: () => void }>) {
  const { api } = useShop();
  const bulk = useBulkChange();
  const [isArchiving, setIsArchiving] = useState(false);

  async function setActive(isActive: boolean) {
    await bulk.run(
      products.filter(({ is_active: isNow }) => isNow !== isActive),
      ({ id }) => api.products.update(id, { is_active: isActive }),
      (count) => `${count} products are ${isActive ? "active" : "inactive"}.`,
    );
    onDone();
  }

  async function archive() {
    await bulk.run(
      products,
      ({ id }) => api.products.archive(id),
      (count) => `${count} products are archived.`,
    );
    onDone();
  }

  return (
    <fieldset className="filters" aria-label="Selected products">
      <strong className="row">{products.length} selected</strong>
      <Button isBusy={bulk.isBusy} onClick={() => void setActive(true)}>
        Activate
      </Button>
      <Button isBusy={bulk.isBusy} onClick={() => void setActive(false)}>
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
          title={`Archive ${products.length} products`}
          action="Archive"
          onConfirm={archive}
          onClose={() => setIsArchiving(false)}
        >
          They leave the shop and this list for good. Orders that have them keep them.
        </ConfirmDialog>
      )}
    </fieldset>
  );
}
