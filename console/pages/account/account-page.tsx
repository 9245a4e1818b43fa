import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { consoleApi } from "../../api/console-api.ts";
import { useMe } from "../../api/me.ts";
import { addPasskey } from "../../api/passkeys.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Card, Fact } from "../../ui/card.tsx";
import { FormDialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHead } from "../../ui/page.tsx";
import { Table } from "../../ui/table.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useForm } from "../../ui/use-form.ts";
import { useFormat } from "../../ui/use-format.ts";

/** The login of the member: the address, the businesses, and the passkeys. */
export function AccountPage() {
  const { user, memberships } = useMe();
  return (
    <>
      <PageHead title="Your login" />
      <Card title="Login">
        <dl className="facts">
          <Fact name="E-mail">{user.email}</Fact>
          {memberships.length > 0 && (
            <Fact name="Businesses">
              {memberships
                .map(({ business_name, role }) => `${business_name} (${role})`)
                .join(", ")}
            </Fact>
          )}
        </dl>
      </Card>
      <PasskeysCard />
    </>
  );
}

const passkeysKey = ["passkeys"];

function PasskeysCard() {
  const format = useFormat();
  const change = useChange();
  const [isAdding, setIsAdding] = useState(false);
  const query = useQuery({
    queryKey: passkeysKey,
    queryFn: async ({ signal }) => (await consoleApi.passkeys.list({ signal })).data,
  });
  return (
    <Card
      title="Passkeys"
      actions={<Button onClick={() => setIsAdding(true)}>Add passkey</Button>}
      isFlush
    >
      <Loaded query={query}>
        {(passkeys) =>
          passkeys.length === 0 ? (
            <p className="muted">
              With a passkey you log in with your fingerprint, face or PIN instead of a code.
            </p>
          ) : (
            <Table
              label="Passkeys"
              rows={passkeys}
              keyOf={({ id }) => id}
              columns={[
                { name: "Name", cell: ({ name }) => name },
                { name: "Added", kind: "tight", cell: (one) => format.date(one.created_at) },
                {
                  name: "Last used",
                  kind: "tight",
                  cell: ({ last_used_at: at }) => (at === null ? "Never" : format.age(at)),
                },
                {
                  name: "Remove",
                  isNameHidden: true,
                  kind: "tight",
                  cell: ({ id, name }) => (
                    <IconButton
                      icon="trash"
                      label={`Remove the passkey ${name}`}
                      onClick={() =>
                        void change.run(() => consoleApi.passkeys.delete(id), "Passkey removed.")
                      }
                    />
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {isAdding && <PasskeyDialog onClose={() => setIsAdding(false)} />}
    </Card>
  );
}

function PasskeyDialog({ onClose }: Readonly<{ onClose: () => void }>) {
  const queryClient = useQueryClient();
  const form = useForm({ name: "" }, async ({ name }) => {
    await addPasskey(name);
    await queryClient.invalidateQueries({ queryKey: passkeysKey });
  });
  return (
    <FormDialog title="Add passkey" action="Continue" form={form} onClose={onClose}>
      <TextField
        label="Name"
        hint="Names the device, such as “Laptop”."
        required
        maxLength={100}
        {...form.field("name")}
      />
    </FormDialog>
  );
}
