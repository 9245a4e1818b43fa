import type { BusinessSchemas } from "@duka/sdk/business";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { useDone } from "../../ui/use-done.ts";
import { useFormat } from "../../ui/use-format.ts";
import { keyKinds, NewKeyDialog } from "./new-key-dialog.tsx";

type ApiKey = BusinessSchemas["ApiKey"];

type KeysDialog =
  | Readonly<{ kind: "create" }>
  | Readonly<{ kind: "text"; text: string }>
  | Readonly<{ kind: "revoke"; key: ApiKey }>;

/** The keys with which programs call the API. */
export function KeysPage() {
  const { api, can } = useShop();
  const format = useFormat();
  const done = useDone();
  const search = useSearch({ from: "/$businessId/settings/keys" });
  const [dialog, setDialog] = useState<KeysDialog>();
  const close = () => setDialog(undefined);
  const mayWrite = can("keys:write");
  const query = useListPage({
    key: ["keys", search],
    list: () => api.keys.list({ ...search, limit: 50 }),
  });
  return (
    <Card
      title="API keys"
      isFlush
      actions={
        mayWrite && (
          <Button icon="plus" onClick={() => setDialog({ kind: "create" })}>
            New key
          </Button>
        )
      }
    >
      <RecordList
        label="API keys"
        query={query}
        keyOf={({ id }) => id}
        columns={[
          {
            name: "Key",
            cell: ({ label, id, kind }) => (
              <>
                <strong>{label || keyKinds[kind].name}</strong>
                <p className="small muted">{id}</p>
              </>
            ),
          },
          {
            name: "Kind",
            cell: ({ kind, revoked_at: revokedAt }) => (
              <div className="row">
                <Badge>{keyKinds[kind].name}</Badge>
                {revokedAt !== null && <Badge tone="danger">Revoked</Badge>}
              </div>
            ),
          },
          {
            name: "Scopes",
            isWide: true,
            cell: ({ scopes }) => (scopes.includes("*") ? "Everything" : scopes.join(", ")),
          },
          {
            name: "Used",
            kind: "tight",
            cell: ({ last_used_at: at }) => (at ? format.age(at) : "Never"),
          },
          {
            name: "Actions",
            isNameHidden: true,
            kind: "tight",
            cell: (key) =>
              mayWrite &&
              key.revoked_at === null && (
                <Button onClick={() => setDialog({ kind: "revoke", key })}>Revoke</Button>
              ),
          },
        ]}
        empty={<EmptyState icon="settings" title="No keys" />}
      />
      {dialog?.kind === "create" && (
        <NewKeyDialog
          onCreated={(text) => setDialog({ kind: "text", text })}
          onClose={() => setDialog((open) => (open?.kind === "create" ? undefined : open))}
        />
      )}
      {dialog?.kind === "text" && (
        <SecretDialog title="The new key" label="Key" secret={dialog.text} onClose={close} />
      )}
      {dialog?.kind === "revoke" && (
        <ConfirmDialog
          title={`Revoke ${dialog.key.label || dialog.key.id}`}
          action="Revoke"
          onConfirm={async () => {
            await api.keys.revoke(dialog.key.id);
            await done("The key is revoked.");
          }}
          onClose={close}
        >
          What uses it stops working within 10 seconds. This cannot be undone.
        </ConfirmDialog>
      )}
    </Card>
  );
}
