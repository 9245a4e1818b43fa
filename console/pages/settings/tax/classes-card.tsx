import { useState } from "react";
import { useShop } from "../../../api/shop.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { FormDialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Table } from "../../../ui/table.tsx";
import { useDone } from "../../../ui/use-done.ts";
import { useForm } from "../../../ui/use-form.ts";
import { type TaxClass, useTaxClasses } from "./use-tax-classes.ts";

/** The classes of products, such as food, that are taxed by rates of their own. */
export function ClassesCard() {
  const { api, can } = useShop();
  const done = useDone();
  const query = useTaxClasses();
  const [dialog, setDialog] = useState<Readonly<{ kind: "edit" | "archive"; one?: TaxClass }>>();
  const mayWrite = can("settings:write");
  const close = () => setDialog(undefined);
  return (
    <Card
      title="Classes of products"
      isFlush
      actions={
        mayWrite && (
          <Button icon="plus" onClick={() => setDialog({ kind: "edit" })}>
            Add class
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {(classes) => (
          <Table
            label="Tax classes"
            rows={classes}
            keyOf={({ code }) => code}
            columns={[
              { name: "Name", cell: ({ name }) => <strong>{name}</strong> },
              { name: "Code", cell: ({ code }) => <span className="muted">{code}</span> },
              {
                name: "Actions",
                isNameHidden: true,
                kind: "tight",
                isWide: true,
                cell: (one) =>
                  mayWrite && (
                    <div className="row end">
                      <IconButton
                        icon="edit"
                        label={`Rename ${one.name}`}
                        onClick={() => setDialog({ kind: "edit", one })}
                      />
                      {one.code !== "standard" && (
                        <IconButton
                          icon="trash"
                          label={`Archive ${one.name}`}
                          onClick={() => setDialog({ kind: "archive", one })}
                        />
                      )}
                    </div>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      {dialog?.kind === "edit" && <ClassDialog one={dialog.one} onClose={close} />}
      {dialog?.kind === "archive" && dialog.one && (
        <ConfirmDialog
          title={`Archive ${dialog.one.name}`}
          action="Archive"
          onConfirm={async () => {
            await api.tax.archiveClass(dialog.one?.code ?? "");
            await done("The class is archived.");
          }}
          onClose={close}
        >
          This works while no product and no rate has the class.
        </ConfirmDialog>
      )}
    </Card>
  );
}

function ClassDialog({
  one,
  onClose,
}: Readonly<{ one: TaxClass | undefined; onClose: () => void }>) {
  const { api } = useShop();
  const done = useDone();
  const form = useForm({ name: one?.name ?? "", code: "" }, async ({ name, code }) => {
    if (one) await api.tax.updateClass(one.code, { name });
    else await api.tax.createClass({ name, code });
    await done(`${name} is saved.`);
  });
  return (
    <FormDialog
      title={one ? `Rename ${one.name}` : "New class of products"}
      action="Save"
      form={form}
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={200} {...form.field("name")} />
      {!one && (
        <TextField
          label="Code"
          hint="Lower-case letters, digits and hyphens. It never changes."
          required
          maxLength={64}
          {...form.field("code")}
        />
      )}
    </FormDialog>
  );
}
