import type { BusinessSchemas } from "@duka/sdk/business";
import { Link } from "@tanstack/react-router";
import { useFormat } from "../../ui/use-format.ts";

type ThreadListProps = Readonly<{
  threads: readonly BusinessSchemas["ConversationSummary"][];
  /** The chat that is open: what arrives there is read at once. */
  openId: string | undefined;
}>;

/** The chats, the latest message first, with the number of unread messages. */
export function ThreadList({ threads, openId }: ThreadListProps) {
  const format = useFormat();
  if (threads.length === 0) {
    return <p className="card-body muted">No chats here. Shoppers begin them on the storefront.</p>;
  }
  return (
    <ul>
      {threads.map((thread) => {
        const unread = thread.id === openId ? 0 : thread.unread_count;
        const at = thread.last_message_at ?? thread.created_at;
        return (
          <li key={thread.id}>
            <Link
              to="/$businessId/inbox/$threadId"
              from="/$businessId"
              params={{ threadId: thread.id }}
              search={true}
              className={unread > 0 ? "unread" : ""}
            >
              <span className="who">{thread.customer_name ?? guestName(thread)}</span>
              <time className="small muted" dateTime={at}>
                {format.age(at)}
              </time>
              <span className="small muted">
                {messagesText(thread.message_count)}
                {thread.status === "closed" && " · closed"}
              </span>
              {unread > 0 && (
                <span className="badge info">
                  {unread}
                  <span className="visually-hidden"> unread</span>
                </span>
              )}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

const guestName = ({ customer_id: id }: Readonly<{ customer_id: string | null }>): string =>
  id === null ? "Guest" : "Customer";

const messagesText = (count: number): string => (count === 1 ? "1 message" : `${count} messages`);
