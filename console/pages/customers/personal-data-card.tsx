import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { saveFile } from "../../ui/download.ts";
import { useChange } from "../../ui/use-change.ts";
import { type Customer, nameOf } from "./customer.ts";

/** Exports everything that is kept of a customer, or erases it. */
export function PersonalDataCard({ customer }: Readonly<{ customer: Customer }>) {
  const { api, can } = useShop();
  const change = useChange();
  const [isErasing, setIsErasing] = useState(false);

  async function exportData() {
    const { data } = await api.customers.exportData(customer.id);
    saveFile(`${customer.id}.json`, "application/json", JSON.stringify(data, null, 2));
  }

  return (
    <Card title="Personal data">
      <div className="stack">
        <p className="muted">Everything that is kept of this customer, as a file, or erased.</p>
        <div className="row">
          <Button
            icon="download"
            isBusy={change.isBusy}
            onClick={() => void change.run(exportData, "The file is in your downloads.")}
          >
            Export data
          </Button>
          {can("customers:write") && (
            <Button icon="trash" onClick={() => setIsErasing(true)}>
              Erase data
            </Button>
          )}
        </div>
      </div>
      {isErasing && (
        <ConfirmDialog
          title={`Erase ${nameOf(customer)}`}
          action="Erase the data"
          done="The customer's data are erased."
          run={() => api.customers.eraseData(customer.id)}
          onClose={() => setIsErasing(false)}
        >
          <p>
            Name, contacts, addresses, notes and chat messages are deleted, sessions and
            subscriptions end. The figures of orders stay. This cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
