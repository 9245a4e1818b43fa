import type { BusinessSchemas } from "@duka/sdk/business";
import { Link, useSearch } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Filters, optionsOf, SelectFilter } from "../../ui/filters.tsx";
import { Icon } from "../../ui/icon.tsx";
import { keyIn } from "../../ui/list-search.ts";
import { PageHead } from "../../ui/page.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useFormat } from "../../ui/use-format.ts";
import { channelNames, messageNames, messageText } from "./message-names.ts";

type OutgoingMessage = BusinessSchemas["OutgoingMessage"];

const refreshMs = 10_000;

const statuses: Readonly<
  Record<OutgoingMessage["status"], Readonly<{ name: string; tone: Tone }>>
> = {
  queued: { name: "Waiting", tone: "neutral" },
  sent: { name: "Sent", tone: "success" },
  failed: { name: "Failed", tone: "danger" },
  skipped: { name: "Not sent", tone: "neutral" },
};

/** Why a message was not sent. Other errors are shown in the words of the provider. */
const reasons: Readonly<Record<string, string>> = {
  disabled: "The message is turned off",
  suppressed: "The address does not take mail",
  erased: "The customer's data were erased",
  outdated: "No longer true when it was due",
  read: "The customer has read the answer",
  repeated: "Already in another message",
  bounced: "The address does not exist",
  complained: "The customer reported it as spam",
  unsubscribed: "The customer has unsubscribed",
  expired: "The code was no longer valid",
  interrupted: "The service was interrupted each time",
  "internal error": "The service could not write it",
};

/** What the service sent to customers and members in the last 90 days, newest first. */
export function MessageLogPage() {
  const { api, can } = useShop();
  const format = useFormat();
  const change = useChange();
  const search = useSearch({ from: "/$businessId/messages" });
  const query = useListPage({
    key: ["messages", search],
    list: () =>
      api.messages.list({
        ...search,
        name: keyIn(messageNames, search.name),
        status: keyIn(statuses, search.status),
        limit: 50,
      }),
    refreshMs,
  });
  const mayRetry = can("messages:write");
  return (
    <>
      <PageHead title="Message log" />
      <div className="card">
        <Filters>
          <SelectFilter
            name="status"
            label="Status"
            value={search.status}
            options={optionsOf(statuses)}
          />
          <SelectFilter
            name="name"
            label="Message"
            value={search.name}
            options={Object.entries(messageNames).map(([value, name]) => ({ value, name }))}
          />
          {search.order_id && (
            <Link
              className="button"
              to="/$businessId/messages"
              from="/$businessId"
              search={{ ...search, order_id: undefined, cursor: undefined }}
            >
              <Icon name="close" />
              Of one order
            </Link>
          )}
        </Filters>
        <RecordList
          label="Messages"
          query={query}
          keyOf={({ id }) => id}
          columns={[
            {
              name: "Message",
              cell: ({ name, order_id: orderId }) => (
                <>
                  <strong>{messageText(name)}</strong>
                  {orderId && can("orders:read") && (
                    <p className="small">
                      <Link
                        to="/$businessId/orders/$orderId"
                        from="/$businessId"
                        params={{ orderId }}
                      >
                        Open the order
                      </Link>
                    </p>
                  )}
                </>
              ),
            },
            {
              name: "Status",
              cell: ({ status, error, next_attempt_at: next }) => (
                <>
                  <Badge tone={statuses[status].tone}>{statuses[status].name}</Badge>
                  {error && <p className="small muted">{reasons[error] ?? error}</p>}
                  {next && <p className="small muted">Next attempt {format.moment(next)}</p>}
                </>
              ),
            },
            {
              name: "To",
              cell: ({ to, channel }) => (
                <>
                  {to === "erased" ? "Erased" : to}
                  <p className="small muted">{channelNames[channel]}</p>
                </>
              ),
            },
            {
              name: "Created",
              kind: "tight",
              cell: ({ created_at: at }) => <time dateTime={at}>{format.age(at)}</time>,
            },
            {
              name: "Actions",
              isNameHidden: true,
              kind: "tight",
              isWide: true,
              cell: ({ id, name, to, status }) =>
                mayRetry &&
                status === "failed" && (
                  <Button
                    aria-label={`Retry ${messageText(name)} to ${to}`}
                    isBusy={change.isBusy}
                    onClick={() =>
                      void change.run(() => api.messages.retry(id), "The message is sent again.")
                    }
                  >
                    Retry
                  </Button>
                ),
            },
          ]}
          empty={
            <EmptyState icon="mail" title="No messages here">
              <p className="muted">
                What customers are sent is listed here for 90 days. Or change the filters.
              </p>
            </EmptyState>
          }
        />
      </div>
    </>
  );
}
