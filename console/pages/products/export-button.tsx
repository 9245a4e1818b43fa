import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { Button } from "../../ui/button.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { useToasts } from "../../ui/toast.tsx";

/** A catalogue of 100,000 products takes this long to arrive. */
const timeoutMs = 300_000;

/** Saves all products as a CSV file. */
export function ExportButton() {
  const { api } = useShop();
  const toasts = useToasts();
  const [isBusy, setIsBusy] = useState(false);

  async function exportProducts() {
    setIsBusy(true);
    try {
      const { data } = await api.products.export({ timeout: timeoutMs });
      saveFile("products.csv", data, "text/csv");
    } catch (error) {
      toasts.showError(error);
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <Button icon="download" isBusy={isBusy} onClick={() => void exportProducts()}>
      Export
    </Button>
  );
}
