import { useShop } from "../../../api/shop.ts";
import { CopyText } from "../../../ui/copy-text.tsx";
import { FormDialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { useDone } from "../../../ui/use-done.ts";
import { useForm } from "../../../ui/use-form.ts";
import {
  keyNames,
  type Provider,
  type ProviderKeys,
  providers,
  webhookAddress,
  withRefusedKey,
} from "./provider.ts";

const placeholders: Readonly<Record<"live" | "test", ProviderKeys>> = {
  live: { secret_key: "sk_live_…", publishable_key: "pk_live_…", webhook_secret: "whsec_…" },
  test: { secret_key: "sk_test_…", publishable_key: "pk_test_…", webhook_secret: "whsec_…" },
};

const noKeys: ProviderKeys = { secret_key: "", publishable_key: "", webhook_secret: "" };

type ConnectDialogProps = Readonly<{
  provider: Provider;
  isReplacing: boolean;
  onClose: () => void;
}>;

/** Takes the keys of an account. The provider is asked about them before they are stored. */
export function ConnectDialog({ provider, isReplacing, onClose }: ConnectDialogProps) {
  const { api, id, membership } = useShop();
  const done = useDone();
  const { name, keys, keysAt, webhook } = providers[provider];
  const form = useForm(noKeys, async (values) => {
    const entered = Object.fromEntries(keys.map((key) => [key, values[key].trim()]));
    try {
      await api.paymentProviders.connect(provider, { secret_key: "", ...entered });
    } catch (error) {
      throw withRefusedKey(error);
    }
    await done(isReplacing ? `The keys of ${name} are replaced.` : `${name} is connected.`);
  });
  const { mode } = membership;
  return (
    <FormDialog
      title={isReplacing ? `Replace the keys of ${name}` : `Connect ${name}`}
      action={isReplacing ? "Replace keys" : "Connect"}
      form={form}
      onClose={onClose}
    >
      <div className="field">
        <span className="label">Webhook address</span>
        <CopyText label="webhook address" text={webhookAddress(provider, id)} />
        <p className="hint">{webhook}</p>
      </div>
      {keys.map((key) => (
        <TextField
          key={key}
          label={keyNames[key]}
          type={key === "publishable_key" ? "text" : "password"}
          autoComplete="off"
          required
          maxLength={300}
          placeholder={placeholders[mode][key]}
          {...form.field(key)}
        />
      ))}
      <p className="muted">
        {keysAt} Use the {mode} keys.
        {isReplacing && " Keys of another account do not work for the payments before."} They are
        stored encrypted and not shown again.
      </p>
    </FormDialog>
  );
}
