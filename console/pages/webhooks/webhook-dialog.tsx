import { useShop } from "../../api/shop.ts";
import { CheckList } from "../../ui/check-list.tsx";
import { FormDialog } from "../../ui/dialog.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { useDone } from "../../ui/use-done.ts";
import { useForm } from "../../ui/use-form.ts";
import { eventOptions, toEventNames, type Webhook } from "./webhook.tsx";

type WebhookDialogProps = Readonly<{
  webhook?: Webhook;
  /** Gets the secret of a new webhook, which the service shows only once. */
  onCreated?: (secret: string) => void;
  onClose: () => void;
}>;

type WebhookValues = Readonly<{
  url: string;
  description: string;
  events: readonly string[];
  isFull: boolean;
}>;

/** Adds a webhook, or changes one. */
export function WebhookDialog({ webhook, onCreated, onClose }: WebhookDialogProps) {
  const { api, can } = useShop();
  const done = useDone();
  const form = useForm<WebhookValues>(
    {
      url: webhook?.url ?? "",
      description: webhook?.description ?? "",
      events: webhook?.events ?? [],
      isFull: webhook?.payload === "full",
    },
    async ({ url, description, events, isFull }) => {
      const input = {
        url,
        description: description.trim() || null,
        events: toEventNames(events),
        payload: isFull ? "full" : "compact",
      } as const;
      if (webhook) await api.webhooks.update(webhook.id, input);
      else onCreated?.((await api.webhooks.create(input)).data.secret);
      await done("The webhook is saved.");
    },
  );
  return (
    <FormDialog
      title={webhook ? "Edit webhook" : "New webhook"}
      action="Save"
      isWide
      form={form}
      onClose={onClose}
    >
      <TextField
        label="Address"
        type="url"
        required
        placeholder="https://"
        maxLength={2048}
        {...form.field("url")}
      />
      <TextField label="Description" maxLength={500} {...form.field("description")} />
      <CheckList label="Sent when" options={eventOptions} {...form.field("events")} />
      {can("orders:read") && (
        <Checkbox
          label="Send the lines and the contact with orders"
          hint="Without them, the receiver reads the order with the API."
          {...form.field("isFull")}
        />
      )}
    </FormDialog>
  );
}
