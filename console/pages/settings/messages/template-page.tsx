import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../../api/shop.ts";
import { useRecord } from "../../../api/use-record.ts";
import { useRecordForm } from "../../../api/use-record-form.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { changedFields } from "../../../ui/changed-fields.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { EditorForm } from "../../../ui/editor-form.tsx";
import { Checkbox, TextArea, TextField } from "../../../ui/field.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { PageHead } from "../../../ui/page.tsx";
import { useChange } from "../../../ui/use-change.ts";
import { useDone } from "../../../ui/use-done.ts";
import { type MessageTemplate, messageText } from "../../messages/message-names.ts";
import { PreviewDialog } from "./preview-dialog.tsx";
import { canDisable, toTexts, toValues } from "./template.ts";

/** What a message says. */
export function MessageTemplatePage() {
  const { api } = useShop();
  const { name } = useParams({ from: "/$businessId/settings/messages/$name" });
  const query = useRecord({
    key: ["message-templates", name],
    get: (options) => api.messages.getTemplate(name, options),
  });
  return (
    <Loaded query={query}>{(template) => <TemplateEditor key={name} template={template} />}</Loaded>
  );
}

function TemplateEditor({ template }: Readonly<{ template: MessageTemplate }>) {
  const { api, can } = useShop();
  const done = useDone();
  const change = useChange();
  const [dialog, setDialog] = useState<"preview" | "reset">();
  const close = () => setDialog(undefined);
  const { name } = template;
  const hasSms = template.channels.includes("sms");
  const mayWrite = can("messages:write");
  const form = useRecordForm({
    key: ["message-templates", name],
    record: template,
    toValues,
    async save(values, first) {
      const changes = {
        ...changedFields(toTexts(first, hasSms), toTexts(values, hasSms)),
        ...(values.is_enabled !== first.is_enabled && { is_enabled: values.is_enabled }),
      };
      return (await api.messages.updateTemplate(name, changes)).data;
    },
  });
  return (
    <>
      <PageHead
        title={messageText(name)}
        badges={
          <>
            {!template.is_enabled && <Badge>Off</Badge>}
            {template.is_custom && <Badge>Your own text</Badge>}
          </>
        }
      >
        {mayWrite && template.is_custom && (
          <Button onClick={() => setDialog("reset")}>Use the built-in text</Button>
        )}
        {mayWrite && (
          <Button
            isBusy={change.isBusy}
            disabled={form.isDirty}
            onClick={() =>
              void change.run(
                () => api.messages.sendTest(name, {}),
                "A test is sent to your e-mail address.",
              )
            }
          >
            Send me a test
          </Button>
        )}
        <Button onClick={() => setDialog("preview")}>Preview</Button>
      </PageHead>
      <div className="columns">
        <EditorForm
          form={form}
          action="Save"
          isReadOnly={!mayWrite}
          onDiscard={() => form.reset(toValues(template))}
        >
          <Card title="E-mail">
            <div className="stack">
              {canDisable(name) && (
                <Checkbox label="Send this message" {...form.field("is_enabled")} />
              )}
              <TextField label="Subject" required maxLength={200} {...form.field("subject")} />
              <TextArea
                label="Text"
                hint="An empty line begins a paragraph."
                required
                maxLength={10_000}
                rows={14}
                {...form.field("body")}
              />
            </div>
          </Card>
          {hasSms && (
            <Card title="SMS">
              <TextArea
                label="Text of the SMS"
                required
                maxLength={500}
                rows={3}
                {...form.field("sms_body")}
              />
            </Card>
          )}
        </EditorForm>
        <Card title="Variables">
          <div className="stack">
            <p className="muted">
              Each stands for a value of the message. A line is left out when all of its variables
              are empty.
            </p>
            <ul>
              {template.variables.map((variable) => (
                <li key={variable}>
                  <code className="small">{`{{${variable}}}`}</code>
                </li>
              ))}
            </ul>
          </div>
        </Card>
      </div>
      {dialog === "preview" && (
        <PreviewDialog name={name} texts={toTexts(form.values, hasSms)} onClose={close} />
      )}
      {dialog === "reset" && (
        <ConfirmDialog
          title="Use the built-in text"
          action="Use the built-in text"
          onConfirm={async () => {
            const texts = { subject: null, body: null, sms_body: null };
            const { data } = await api.messages.updateTemplate(name, texts);
            form.reset(toValues(data));
            await done("The message has the built-in text.");
          }}
          onClose={close}
        >
          Your subject and texts of this message are lost.
        </ConfirmDialog>
      )}
    </>
  );
}
