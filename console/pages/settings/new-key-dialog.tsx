import { useShop } from "../../api/shop.ts";
import { CheckList } from "../../ui/check-list.tsx";
import { FormDialog } from "../../ui/dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { optionsOf } from "../../ui/filters.tsx";
import { keyIn } from "../../ui/list-search.ts";
import { useDone } from "../../ui/use-done.ts";
import { useForm } from "../../ui/use-form.ts";
import { scopeOptions, toScopes } from "./key-scopes.ts";

export const keyKinds = {
  publishable: { name: "Publishable" },
  secret: { name: "Secret" },
  deploy: { name: "Deploy" },
} as const;

const uses: Readonly<Record<keyof typeof keyKinds, string>> = {
  publishable: "For a storefront. It may be seen by everybody.",
  secret: "For a server of yours. Choose what it may do.",
  deploy: "For uploading the storefront's files.",
};

type NewKey = Readonly<{ kind: string; label: string; scopes: readonly string[] }>;

type NewKeyDialogProps = Readonly<{ onCreated: (text: string) => void; onClose: () => void }>;

/** Creates a key. Its text is passed on, because the service shows it only once. */
export function NewKeyDialog({ onCreated, onClose }: NewKeyDialogProps) {
  const { api, can } = useShop();
  const done = useDone();
  const form = useForm<NewKey>(
    { kind: "secret", label: "", scopes: [] },
    async ({ kind: text, label, scopes }) => {
      const kind = keyIn(keyKinds, text) ?? "secret";
      const { data } = await api.keys.create({
        kind,
        label,
        scopes: kind === "secret" ? toScopes(scopes) : [],
      });
      await done("The key is created.");
      onCreated(data.key);
    },
  );
  const kind = keyIn(keyKinds, form.values.kind) ?? "secret";
  return (
    <FormDialog title="New key" action="Create key" form={form} onClose={onClose}>
      <Select
        label="Kind"
        hint={uses[kind]}
        options={optionsOf(keyKinds)}
        {...form.field("kind")}
      />
      <TextField
        label="Label"
        hint="What it is for, such as the name of a program."
        maxLength={200}
        {...form.field("label")}
      />
      {kind === "secret" && (
        <CheckList
          label="It may"
          options={scopeOptions.filter(({ value }) => can(value))}
          {...form.field("scopes")}
        />
      )}
    </FormDialog>
  );
}
