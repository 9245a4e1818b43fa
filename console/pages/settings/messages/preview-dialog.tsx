import { useShop } from "../../../api/shop.ts";
import { useRecord } from "../../../api/use-record.ts";
import { Fact } from "../../../ui/card.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import type { MessageTemplate } from "../../messages/message-names.ts";
import { EmailFrame } from "./email-frame.tsx";

type PreviewDialogProps = Readonly<{
  name: MessageTemplate["name"];
  /** The texts of the form, saved or not. */
  texts: Readonly<{ subject: string; body: string; sms_body?: string }>;
  onClose: () => void;
}>;

/** Shows a message with example data as its recipient sees it. */
export function PreviewDialog({ name, texts, onClose }: PreviewDialogProps) {
  const { api } = useShop();
  const query = useRecord({
    key: ["message-preview", name, texts],
    get: (options) => api.messages.previewTemplate(name, texts, options),
  });
  return (
    <Dialog title="Preview" isWide onClose={onClose}>
      <div className="dialog-body">
        <Loaded query={query}>
          {(preview) => (
            <>
              <dl className="facts">
                <Fact name="Subject">{preview.subject}</Fact>
                {preview.sms !== null && <Fact name="SMS">{preview.sms}</Fact>}
              </dl>
              <EmailFrame html={preview.html} />
            </>
          )}
        </Loaded>
      </div>
    </Dialog>
  );
}
