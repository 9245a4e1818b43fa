import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { useChange } from "../../ui/use-change.ts";
import { useDone } from "../../ui/use-done.ts";
import { type Customer, nameOf } from "./customer.ts";

/** Exports everything that is kept of a customer, or erases it. */
export function PersonalDataCard({ customer }: Readonly<{ customer: Customer }>) {
  const { api, can } = useShop();
  const change = useChange();
  const done = useDone();
  const [isErasing, setIsErasing] = useState(false);

  async function exportData() {
    const { data } = await api.customers.exportData(customer.id);
    saveFile(`${customer.id}.json`, JSON.stringify(data, null, 2), "application/json");
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
          onConfirm={async () => {
            await api.customers.eraseData(customer.id);
            await done("The customer's data are erased.");
          }}
          onClose={() => setIsErasing(false)}
        >
          Name, contacts, addresses, notes and chat messages are deleted, sessions and subscriptions
          end. The figures of orders stay. This cannot be undone.
        </ConfirmDialog>
      )}
    </Card>
  );
}
