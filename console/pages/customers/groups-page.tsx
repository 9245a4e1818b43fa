import { useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { FormDialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { PageHead } from "../../ui/page.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { useDone } from "../../ui/use-done.ts";
import { useForm } from "../../ui/use-form.ts";
import { useFormat } from "../../ui/use-format.ts";
import type { CustomerGroup } from "./customer.ts";

type GroupsDialog =
  | Readonly<{ kind: "create" }>
  | Readonly<{ kind: "rename" | "archive"; group: CustomerGroup }>;

/** The groups of customers, to which deals can be limited. */
export function GroupsPage() {
  const { api, can } = useShop();
  const format = useFormat();
  const search = useSearch({ from: "/$businessId/customers/groups" });
  const [dialog, setDialog] = useState<GroupsDialog>();
  const done = useDone();
  const close = () => setDialog(undefined);
  const query = useListPage({
    key: ["customer-groups", search],
    list: () => api.customerGroups.list({ ...search, limit: 50 }),
  });
  const mayWrite = can("customers:write");
  const createButton = mayWrite && (
    <Button look="primary" icon="plus" onClick={() => setDialog({ kind: "create" })}>
      New group
    </Button>
  );
  return (
    <>
      <PageHead title="Customer groups">{query.data?.items.length !== 0 && createButton}</PageHead>
      <div className="card">
        <RecordList
          label="Customer groups"
          query={query}
          keyOf={({ id }) => id}
          columns={[
            { name: "Name", cell: ({ name }) => <strong>{name}</strong> },
            {
              name: "Customers",
              kind: "number",
              cell: ({ customer_ids: ids }) => format.number(ids.length),
            },
            { name: "Created", cell: ({ created_at }) => format.date(created_at) },
            {
              name: "Actions",
              isNameHidden: true,
              kind: "tight",
              cell: (group) =>
                mayWrite && (
                  <div className="row end">
                    <IconButton
                      icon="edit"
                      label={`Rename ${group.name}`}
                      onClick={() => setDialog({ kind: "rename", group })}
                    />
                    <IconButton
                      icon="trash"
                      label={`Archive ${group.name}`}
                      onClick={() => setDialog({ kind: "archive", group })}
                    />
                  </div>
                ),
            },
          ]}
          empty={
            <EmptyState icon="customers" title="No groups yet">
              <p className="muted">
                Put customers into groups, such as wholesale, and limit deals to them.
              </p>
              {createButton}
            </EmptyState>
          }
        />
      </div>
      <p className="small muted">Customers are added to a group on their own page.</p>
      {dialog?.kind === "create" && <GroupDialog onClose={close} />}
      {dialog?.kind === "rename" && <GroupDialog group={dialog.group} onClose={close} />}
      {dialog?.kind === "archive" && (
        <ConfirmDialog
          title={`Archive ${dialog.group.name}`}
          action="Archive"
          onConfirm={async () => {
            await api.customerGroups.archive(dialog.group.id);
            await done(`${dialog.group.name} is archived.`);
          }}
          onClose={close}
        >
          Its customers stay. Deals that are limited to this group apply to nobody any more.
        </ConfirmDialog>
      )}
    </>
  );
}

function GroupDialog({ group, onClose }: Readonly<{ group?: CustomerGroup; onClose: () => void }>) {
  const { api } = useShop();
  const queryClient = useQueryClient();
  const form = useForm({ name: group?.name ?? "" }, async (values) => {
    if (group) await api.customerGroups.update(group.id, values);
    else await api.customerGroups.create(values);
    await queryClient.invalidateQueries();
  });
  return (
    <FormDialog
      title={group ? "Rename group" : "New group"}
      action={group ? "Save" : "Create"}
      form={form}
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={200} {...form.field("name")} />
    </FormDialog>
  );
}
