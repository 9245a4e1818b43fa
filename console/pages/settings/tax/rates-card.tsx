import type { BusinessSchemas } from "@duka/sdk/business";
import { useState } from "react";
import { useShop } from "../../../api/shop.ts";
import { useAll } from "../../../api/use-all.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { countryName } from "../../../ui/countries.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { Table } from "../../../ui/table.tsx";
import { useDone } from "../../../ui/use-done.ts";
import { RateDialog } from "./rate-dialog.tsx";

export type TaxRate = BusinessSchemas["TaxRate"];

/** The tax rates of places. */
export function RatesCard() {
  const { api, can } = useShop();
  const [dialog, setDialog] = useState<Readonly<{ kind: "edit" | "archive"; rate?: TaxRate }>>();
  const done = useDone();
  const query = useAll({
    key: ["tax-rates"],
    list: () => api.tax.listRates({ limit: 100 }),
    select: (items: readonly TaxRate[]) => items,
  });
  const mayWrite = can("settings:write");
  const close = () => setDialog(undefined);
  return (
    <Card
      title="Rates by place"
      isFlush
      actions={
        mayWrite && (
          <Button icon="plus" onClick={() => setDialog({ kind: "edit" })}>
            Add rate
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {(rates) =>
          rates.length === 0 ? (
            <p className="card-body muted">
              None. Add rates when they differ by country, region or class of products.
            </p>
          ) : (
            <Table
              label="Tax rates"
              rows={rates}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: "Name",
                  cell: (rate) => (
                    <>
                      <strong>{rate.name}</strong> {!rate.is_active && <Badge>Inactive</Badge>}
                    </>
                  ),
                },
                { name: "Rate", kind: "number", cell: (rate) => `${rate.rate_percent} %` },
                { name: "Place", isWide: true, cell: placeOf },
                {
                  name: "For",
                  cell: ({ tax_class: code, applies_to_delivery: isOnDelivery }) =>
                    isOnDelivery ? `${code}, delivery` : code,
                },
                {
                  name: "Actions",
                  isNameHidden: true,
                  kind: "tight",
                  cell: (rate) =>
                    mayWrite && (
                      <div className="row end">
                        <IconButton
                          icon="edit"
                          label={`Edit ${rate.name}`}
                          onClick={() => setDialog({ kind: "edit", rate })}
                        />
                        <IconButton
                          icon="trash"
                          label={`Archive ${rate.name}`}
                          onClick={() => setDialog({ kind: "archive", rate })}
                        />
                      </div>
                    ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {dialog?.kind === "edit" && <RateDialog rate={dialog.rate} onClose={close} />}
      {dialog?.kind === "archive" && dialog.rate && (
        <ConfirmDialog
          title={`Archive ${dialog.rate.name}`}
          action="Archive"
          onConfirm={async () => {
            await api.tax.archiveRate(dialog.rate?.id ?? "");
            await done("The rate is archived.");
          }}
          onClose={close}
        >
          New orders are charged without it. Orders that were placed keep their tax.
        </ConfirmDialog>
      )}
    </Card>
  );
}

const placeOf = ({ country, region, postal_code_prefix: prefix }: TaxRate): string =>
  [countryName(country), region, prefix && `${prefix}…`].filter(Boolean).join(", ");
