import { useEffect, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useFormat } from "../../ui/use-format.ts";
import type { ChatMessage } from "./use-thread.ts";

type MessageLogProps = Readonly<{
  messages: readonly ChatMessage[];
  onLoadEarlier: (() => Promise<void>) | undefined;
}>;

const senders: Readonly<Record<ChatMessage["sender_type"], string>> = {
  customer: "Shopper",
  agent: "You",
  system: "System",
  ai: "Assistant",
};

/** What was said in a chat. It follows new messages unless the reader has scrolled up. */
export function MessageLog({ messages, onLoadEarlier }: MessageLogProps) {
  const format = useFormat();
  const log = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const change = useChange();
  const lastId = messages.at(-1)?.id;
  // Safari lets no keyboard scroll a region that cannot be focused.
  useEffect(() => {
    if (log.current) log.current.tabIndex = 0;
  }, []);

  useEffect(() => {
    const element = log.current;
    if (element && lastId !== undefined && isAtEnd.current)
      element.scrollTop = element.scrollHeight;
  }, [lastId]);

  return (
    <div
      ref={log}
      className="messages"
      role="log"
      aria-label="Messages"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 80;
      }}
    >
      {onLoadEarlier && (
        <div className="row center">
          <Button
            isBusy={change.isBusy}
            onClick={() => void change.run(onLoadEarlier, "The whole chat is shown.")}
          >
            Show earlier messages
          </Button>
        </div>
      )}
      {messages.map((message) => (
        <article key={message.id} className={`message ${message.sender_type}`}>
          <p className="text">{message.content}</p>
          {message.attachments.map(({ url, filename }) => (
            <a key={url} className="row" href={url} target="_blank" rel="noreferrer">
              <Icon name="attachment" />
              {filename ?? "File"}
            </a>
          ))}
          <p className="small muted">
            {senders[message.sender_type]} ·{" "}
            <time dateTime={message.created_at}>{format.moment(message.created_at)}</time>
          </p>
        </article>
      ))}
      {messages.length === 0 && <p className="muted">Nothing was said yet.</p>}
    </div>
  );
}
