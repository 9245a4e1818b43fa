import { useState } from "react";
import { useShop } from "../../../api/shop.ts";
import { useAll } from "../../../api/use-all.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { countryName } from "../../../ui/countries.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { useDone } from "../../../ui/use-done.ts";
import { MethodDialog } from "./method-dialog.tsx";
import type { DeliveryMethod, DeliveryZone } from "./method-values.ts";
import { MethodsTable } from "./methods-table.tsx";
import { ZoneDialog } from "./zone-dialog.tsx";

type DeliveryDialog =
  | Readonly<{ kind: "zone"; zone?: DeliveryZone }>
  | Readonly<{ kind: "method"; zone: DeliveryZone; method?: DeliveryMethod }>
  | Readonly<{ kind: "archive-zone"; zone: DeliveryZone }>
  | Readonly<{ kind: "archive-method"; method: DeliveryMethod }>;

/** Where the shop delivers, and how and for what price in each zone. */
export function DeliveryPage() {
  const { api, can } = useShop();
  const [dialog, setDialog] = useState<DeliveryDialog>();
  const done = useDone();
  const zones = useAll({
    key: ["delivery-zones"],
    list: () => api.delivery.listZones({ limit: 100 }),
    select: (items: readonly DeliveryZone[]) => items,
  });
  const methods = useAll({
    key: ["delivery-methods"],
    list: () => api.delivery.listMethods({ limit: 100 }),
    select: (items: readonly DeliveryMethod[]) => items,
  });
  const mayWrite = can("settings:write");
  const close = () => setDialog(undefined);
  const newZone = mayWrite && (
    <Button look="primary" icon="plus" onClick={() => setDialog({ kind: "zone" })}>
      New zone
    </Button>
  );
  return (
    <Loaded query={zones}>
      {(items) => (
        <>
          {items.length === 0 && (
            <div className="card">
              <EmptyState icon="truck" title="No delivery zones">
                <p className="muted">
                  Without a zone, delivery costs nothing and goes anywhere. Add a zone to set
                  prices.
                </p>
                {newZone}
              </EmptyState>
            </div>
          )}
          {items.length > 0 && <div className="row end">{newZone}</div>}
          {items.map((zone) => (
            <Card
              key={zone.id}
              title={zone.name}
              isFlush
              actions={
                <>
                  {!zone.is_active && <Badge>Inactive</Badge>}
                  {mayWrite && (
                    <>
                      <IconButton
                        icon="edit"
                        label={`Edit ${zone.name}`}
                        onClick={() => setDialog({ kind: "zone", zone })}
                      />
                      <IconButton
                        icon="trash"
                        label={`Archive ${zone.name}`}
                        onClick={() => setDialog({ kind: "archive-zone", zone })}
                      />
                      <Button icon="plus" onClick={() => setDialog({ kind: "method", zone })}>
                        Add method
                      </Button>
                    </>
                  )}
                </>
              }
            >
              <p className="card-body muted">{areasText(zone)}</p>
              <Loaded query={methods}>
                {(all) => (
                  <MethodsTable
                    zone={zone}
                    methods={all.filter(({ zone_id: zoneId }) => zoneId === zone.id)}
                    mayWrite={mayWrite}
                    onEdit={(method) => setDialog({ kind: "method", zone, method })}
                    onArchive={(method) => setDialog({ kind: "archive-method", method })}
                  />
                )}
              </Loaded>
            </Card>
          ))}
          {dialog?.kind === "zone" && <ZoneDialog zone={dialog.zone} onClose={close} />}
          {dialog?.kind === "method" && (
            <MethodDialog zone={dialog.zone} method={dialog.method} onClose={close} />
          )}
          {dialog?.kind === "archive-zone" && (
            <ConfirmDialog
              title={`Archive ${dialog.zone.name}`}
              action="Archive"
              onConfirm={async () => {
                await api.delivery.archiveZone(dialog.zone.id);
                await done(`${dialog.zone.name} is archived.`);
              }}
              onClose={close}
            >
              Its methods are archived too. Orders that were placed keep their delivery.
            </ConfirmDialog>
          )}
          {dialog?.kind === "archive-method" && (
            <ConfirmDialog
              title={`Archive ${dialog.method.name}`}
              action="Archive"
              onConfirm={async () => {
                await api.delivery.archiveMethod(dialog.method.id);
                await done(`${dialog.method.name} is archived.`);
              }}
              onClose={close}
            >
              Shoppers can no longer choose it. Orders that were placed keep it.
            </ConfirmDialog>
          )}
        </>
      )}
    </Loaded>
  );
}

const areasText = ({ areas }: DeliveryZone): string =>
  areas
    .map(({ country, regions, postal_code_prefixes: prefixes }) => {
      const parts = [...regions, ...prefixes.map((prefix) => `${prefix}…`)];
      return parts.length === 0
        ? countryName(country)
        : `${countryName(country)} (${parts.join(", ")})`;
    })
    .join(" · ");
