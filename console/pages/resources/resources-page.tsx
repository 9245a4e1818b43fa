import type { BusinessSchemas } from "@duka/sdk/business";
import { useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { ArchiveButton } from "../../ui/archive-button.tsx";
import { Button } from "../../ui/button.tsx";
import { FormDialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { PageHead } from "../../ui/page.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import type { Column } from "../../ui/table.tsx";
import { useForm } from "../../ui/use-form.ts";
import { useFormat } from "../../ui/use-format.ts";

type Resource = BusinessSchemas["Resource"];

/** The rooms and machines that services need. */
export function ResourcesPage() {
  const { api, can } = useShop();
  const format = useFormat();
  const { cursor } = useSearch({ from: "/$businessId/resources" });
  const [opened, setOpened] = useState<Resource | "new">();
  const query = useListPage({
    key: ["resources", cursor],
    list: () => api.resources.list({ cursor, limit: 50 }),
  });
  const mayWrite = can("catalogue:write");
  const columns: readonly Column<Resource>[] = [
    {
      name: "Name",
      cell: (resource) =>
        mayWrite ? (
          <button type="button" className="row-link link" onClick={() => setOpened(resource)}>
            {resource.name}
          </button>
        ) : (
          resource.name
        ),
    },
    {
      name: "Capacity",
      kind: "number",
      cell: ({ capacity }) => (
        <>
          {format.number(capacity)}
          <span className="phone-only"> at a time</span>
        </>
      ),
    },
  ];
  return (
    <>
      <PageHead title="Resources">
        {mayWrite && (
          <Button look="primary" icon="plus" onClick={() => setOpened("new")}>
            New resource
          </Button>
        )}
      </PageHead>
      <div className="card">
        <RecordList
          label="Resources"
          query={query}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon="calendar" title="No resources yet">
              <p className="muted">
                Rooms and machines limit how many bookings fit at a time. Services name those that
                they need.
              </p>
            </EmptyState>
          }
        />
      </div>
      {opened && (
        <ResourceDialog
          resource={opened === "new" ? null : opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

function ResourceDialog({
  resource,
  onClose,
}: Readonly<{ resource: Resource | null; onClose: () => void }>) {
  const { api } = useShop();
  const queryClient = useQueryClient();
  const form = useForm(
    { name: resource?.name ?? "", capacity: String(resource?.capacity ?? 1) },
    async ({ name, capacity }) => {
      const fields = { name, capacity: Number(capacity) };
      await (resource ? api.resources.update(resource.id, fields) : api.resources.create(fields));
      await queryClient.invalidateQueries();
    },
  );
  return (
    <FormDialog
      title={resource ? resource.name : "New resource"}
      action={resource ? "Save" : "Create resource"}
      form={form}
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={200} {...form.field("name")} />
      <TextField
        label="Capacity"
        type="number"
        required
        hint="How many people can use it at a time."
        {...form.field("capacity")}
      />
      {resource && (
        <div className="row">
          <ArchiveButton
            name={resource.name}
            archive={() => api.resources.archive(resource.id)}
            onArchived={async () => onClose()}
          >
            It limits no booking any more. Bookings that exist stay.
          </ArchiveButton>
        </div>
      )}
    </FormDialog>
  );
}
