import type { BusinessSchemas } from "@duka/sdk/business";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { FormDialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useDone } from "../../ui/use-done.ts";
import { useForm } from "../../ui/use-form.ts";

type Domain = BusinessSchemas["Domain"];

type DomainsDialog = Readonly<{ kind: "add" }> | Readonly<{ kind: "remove"; domain: Domain }>;

/** The hostnames that lead to the shop, with the DNS records that verify them. */
export function DomainsPage() {
  const { api, can } = useShop();
  const done = useDone();
  const { isBusy, run } = useChange();
  const search = useSearch({ from: "/$businessId/settings/domains" });
  const [dialog, setDialog] = useState<DomainsDialog>();
  const close = () => setDialog(undefined);
  const mayWrite = can("settings:write");
  const query = useListPage({
    key: ["domains", search],
    list: () => api.domains.list({ ...search, limit: 50 }),
  });
  return (
    <Card
      title="Domains"
      isFlush
      actions={
        mayWrite && (
          <Button icon="plus" onClick={() => setDialog({ kind: "add" })}>
            Add a domain
          </Button>
        )
      }
    >
      <RecordList
        label="Domains"
        query={query}
        keyOf={({ id }) => id}
        columns={[
          {
            name: "Domain",
            cell: ({ hostname, status }) =>
              status === "verified" ? (
                <a href={`https://${hostname}/`}>{hostname}</a>
              ) : (
                <strong>{hostname}</strong>
              ),
          },
          {
            name: "Status",
            cell: ({ status }) =>
              status === "verified" ? (
                <Badge tone="success">Verified</Badge>
              ) : (
                <Badge tone="warning">Waits for its DNS record</Badge>
              ),
          },
          {
            name: "DNS record",
            isWide: true,
            cell: ({ status, verification: { type, name, value } }) =>
              status === "pending" && (
                <div className="stack">
                  <span>{`${type} record with this name and value:`}</span>
                  <CopyText label="name of the record" text={name} />
                  <CopyText label="value of the record" text={value} />
                </div>
              ),
          },
          {
            name: "Actions",
            isNameHidden: true,
            kind: "tight",
            cell: (domain) =>
              mayWrite && (
                <div className="row">
                  {domain.status === "pending" && (
                    <Button
                      isBusy={isBusy}
                      onClick={() =>
                        void run(
                          () => api.domains.verify(domain.id),
                          `${domain.hostname} is verified.`,
                        )
                      }
                    >
                      Check now
                    </Button>
                  )}
                  <Button onClick={() => setDialog({ kind: "remove", domain })}>Remove</Button>
                </div>
              ),
          },
        ]}
        empty={
          <EmptyState icon="settings" title="No domains">
            Add a domain of your own, such as shop.example.com, and it shows your shop.
          </EmptyState>
        }
      />
      {dialog?.kind === "add" && <NewDomainDialog onClose={close} />}
      {dialog?.kind === "remove" && (
        <ConfirmDialog
          title={`Remove ${dialog.domain.hostname}`}
          action="Remove"
          onConfirm={async () => {
            await api.domains.remove(dialog.domain.id);
            await done("The domain is removed.");
          }}
          onClose={close}
        >
          It leads to your shop no more within 10 seconds.
        </ConfirmDialog>
      )}
    </Card>
  );
}

function NewDomainDialog({ onClose }: Readonly<{ onClose: () => void }>) {
  const { api } = useShop();
  const done = useDone();
  const form = useForm({ hostname: "" }, async ({ hostname }) => {
    await api.domains.add({ hostname: hostname.trim() });
    await done("The domain is added. Add its DNS record next.");
  });
  return (
    <FormDialog title="Add a domain" action="Add" form={form} onClose={onClose}>
      <TextField
        label="Domain"
        hint="Without https://, such as shop.example.com. Its DNS has to lead to this service."
        required
        maxLength={253}
        {...form.field("hostname")}
      />
    </FormDialog>
  );
}
