import { Link, useParams } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { useRecord } from "../../api/use-record.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useChange } from "../../ui/use-change.ts";
import { nameOf } from "../customers/customer.ts";
import { Composer } from "./composer.tsx";
import { MessageLog } from "./message-log.tsx";
import { useMarkRead } from "./use-mark-read.ts";
import { type ThreadPart, useThread } from "./use-thread.ts";

/** An open chat: what was said, and the form to answer. */
export function ThreadPage() {
  const { threadId } = useParams({ from: "/$businessId/inbox/$threadId" });
  return <Thread key={threadId} threadId={threadId} />;
}

function Thread({ threadId }: Readonly<{ threadId: string }>) {
  const { can } = useShop();
  const thread = useThread(threadId);
  useMarkRead(thread.query.data, thread.messages.at(-1));
  return (
    <Loaded query={thread.query}>
      {({ conversation }) => (
        <section className="thread" aria-label="Chat">
          <ThreadHead conversation={conversation} />
          <MessageLog
            messages={thread.messages}
            onLoadEarlier={thread.hasEarlier ? thread.loadEarlier : undefined}
          />
          {can("support:write") && (
            <Composer threadId={threadId} onSent={(message) => thread.add([message])} />
          )}
        </section>
      )}
    </Loaded>
  );
}

function ThreadHead({ conversation }: Readonly<{ conversation: ThreadPart["conversation"] }>) {
  const { api, can } = useShop();
  const change = useChange();
  const isClosed = conversation.status === "closed";
  return (
    <header className="row apart">
      <div className="row">
        <Link
          className="button plain icon-only back"
          to="/$businessId/inbox"
          from="/$businessId"
          search={true}
          aria-label="All chats"
        >
          <Icon name="left" />
        </Link>
        <h2>
          {conversation.customer_id !== null && can("customers:read") ? (
            <CustomerName customerId={conversation.customer_id} />
          ) : (
            "Guest"
          )}
        </h2>
        {isClosed && <Badge>Closed</Badge>}
      </div>
      {can("support:write") && !isClosed && (
        <Button
          icon="check"
          isBusy={change.isBusy}
          onClick={() =>
            void change.run(() => api.conversations.close(conversation.id), "The chat is closed.")
          }
        >
          Close
        </Button>
      )}
    </header>
  );
}

function CustomerName({ customerId }: Readonly<{ customerId: string }>) {
  const { api } = useShop();
  const { data } = useRecord({
    key: ["customers", customerId],
    get: (options) => api.customers.get(customerId, options),
  });
  return (
    <Link to="/$businessId/customers/$customerId" from="/$businessId" params={{ customerId }}>
      {data ? nameOf(data) : "Customer"}
    </Link>
  );
}
