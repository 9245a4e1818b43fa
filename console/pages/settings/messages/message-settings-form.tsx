import type { BusinessSchemas } from "@duka/sdk/business";
import { useShop } from "../../../api/shop.ts";
import { useRecordForm } from "../../../api/use-record-form.ts";
import { Card } from "../../../ui/card.tsx";
import { changedFields } from "../../../ui/changed-fields.ts";
import { EditorForm } from "../../../ui/editor-form.tsx";
import { Select, TextArea, TextField } from "../../../ui/field.tsx";

type MessageSettings = BusinessSchemas["MessageSettings"];

const smsOptions = [
  { value: "always", name: "To everyone" },
  { value: "without_email", name: "Only without e-mail" },
  { value: "never", name: "Never" },
] as const;

const toValues = (settings: MessageSettings) => ({
  sender_name: settings.sender_name ?? "",
  reply_to: settings.reply_to ?? "",
  locale: settings.locale,
  footer: settings.footer ?? "",
  reminder_hours: String(settings.reminder_hours),
  sms: settings.sms,
});

const toSettings = (values: ReturnType<typeof toValues>): MessageSettings => ({
  sender_name: values.sender_name.trim() || null,
  reply_to: values.reply_to.trim() || null,
  locale: values.locale.trim(),
  footer: values.footer.trim() || null,
  reminder_hours: Number(values.reminder_hours),
  sms: values.sms,
});

/** Who sends the messages, in which language, and when. */
export function MessageSettingsForm({ settings }: Readonly<{ settings: MessageSettings }>) {
  const { api, can, membership } = useShop();
  const form = useRecordForm({
    key: ["message-settings", "own"],
    record: settings,
    toValues,
    async save(values, first) {
      const changes = changedFields(toSettings(first), toSettings(values));
      return (await api.messages.updateSettings(changes)).data;
    },
  });
  return (
    <EditorForm
      form={form}
      action="Save"
      isReadOnly={!can("messages:write")}
      onDiscard={() => form.reset(toValues(settings))}
    >
      <Card title="Sending">
        <div className="fields">
          <TextField
            label="Name of the sender"
            placeholder={membership.business_name}
            maxLength={100}
            {...form.field("sender_name")}
          />
          <TextField
            label="Answers go to"
            type="email"
            hint="An e-mail address. Left empty, answers go to the address of the service."
            {...form.field("reply_to")}
          />
          <TextField
            label="Language"
            required
            maxLength={35}
            hint="By which dates and amounts are written, such as en-GH or de."
            {...form.field("locale")}
          />
          <TextField
            label="Reminder of a booking"
            type="number"
            required
            hint="Hours before it begins; 0 for none."
            {...form.field("reminder_hours")}
          />
          <Select label="SMS" options={smsOptions} {...form.field("sms")} />
          <TextArea
            label="Footer"
            hint="The last lines of every e-mail, such as your address."
            maxLength={1000}
            rows={3}
            {...form.field("footer")}
          />
        </div>
      </Card>
    </EditorForm>
  );
}
