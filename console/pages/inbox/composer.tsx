import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useRef, useState } from "react";
import { useShop } from "../../api/shop.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { useToasts } from "../../ui/toast.tsx";
import { type Attachment, uploadAttachment } from "./upload-attachment.ts";
import type { ChatMessage } from "./use-thread.ts";

type ComposerProps = Readonly<{ threadId: string; onSent: (message: ChatMessage) => void }>;

/** Writes an answer. Enter sends it, and Shift with Enter begins a new line. */
export function Composer({ threadId, onSent }: ComposerProps) {
  const { id, api, can } = useShop();
  const toasts = useToasts();
  const queryClient = useQueryClient();
  const fileInput = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  const content = text.trim() || attachments.map(({ filename }) => filename).join(", ");

  async function runBusy(run: () => Promise<void>) {
    setIsBusy(true);
    try {
      await run();
    } catch (error) {
      toasts.showError(error);
    } finally {
      setIsBusy(false);
    }
  }

  const send = () =>
    runBusy(async () => {
      const { data } = await api.conversations.sendMessage(threadId, { content, attachments });
      onSent(data);
      setText("");
      setAttachments([]);
      await queryClient.invalidateQueries({ queryKey: [id, "conversations"] });
    });

  const attach = (files: readonly File[]) =>
    runBusy(async () => {
      for (const file of files) {
        const attachment = await uploadAttachment(api, file);
        setAttachments((before) => [...before, attachment]);
      }
    });

  function sendOnEnter(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (content !== "" && !isBusy) void send();
  }

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (content !== "") void send();
      }}
    >
      {attachments.length > 0 && (
        <ul className="row">
          {attachments.map(({ url, filename }) => (
            <li key={url} className="badge">
              {filename}
              <IconButton
                icon="close"
                label={`Remove ${filename}`}
                onClick={() => setAttachments(attachments.filter((one) => one.url !== url))}
              />
            </li>
          ))}
        </ul>
      )}
      <textarea
        className="input"
        aria-label="Message"
        placeholder="Write a message"
        rows={2}
        maxLength={4000}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={sendOnEnter}
      />
      <div className="row end">
        {can("catalogue:write") && (
          <>
            <input
              ref={fileInput}
              type="file"
              multiple
              hidden
              aria-label="Files"
              onChange={({ target }) => {
                void attach([...(target.files ?? [])]);
                target.value = "";
              }}
            />
            <Button
              icon="attachment"
              isBusy={isBusy}
              disabled={attachments.length >= 10}
              onClick={() => fileInput.current?.click()}
            >
              Attach
            </Button>
          </>
        )}
        <Button type="submit" look="primary" isBusy={isBusy} disabled={content === ""}>
          Send
        </Button>
      </div>
    </form>
  );
}
