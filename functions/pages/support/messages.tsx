import type { StorefrontSchemas } from "../../../sdk/src/storefront.ts";
import { formatTime } from "../parts/format.ts";
import type { VisitedShop } from "../shop/open-shop.ts";

export type ChatMessage = StorefrontSchemas["Message"];

type MessagesProps = Readonly<{ shop: VisitedShop; messages: readonly ChatMessage[] }>;

/** The messages of a conversation, oldest first. The script reads after which time it asks for more. */
export const Messages = ({ shop, messages }: MessagesProps) => (
  <>
    {messages.map(({ id, sender_type: sender, content, attachments, created_at: at }) => (
      <li id={id} class={sender === "customer" ? "mine" : "theirs"} data-at={at}>
        <p class="hint">
          <strong>{sender === "customer" ? "You" : shop.business.name}</strong>{" "}
          <time datetime={at}>{formatTime(at, shop.business)}</time>
        </p>
        <p class="said">{content}</p>
        {attachments.map((file) => (
          <Attachment file={file} />
        ))}
      </li>
    ))}
  </>
);

/** A file of a message. An address that no browser should open is only named. */
const Attachment = ({ file }: Readonly<{ file: ChatMessage["attachments"][number] }>) => {
  const name = file.filename ?? "File";
  return (
    <p>
      {/^https?:\/\//.test(file.url) ? (
        <a href={file.url} rel="noreferrer">
          {name}
        </a>
      ) : (
        name
      )}
    </p>
  );
};
