import { useSearch } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useFormat } from "../../ui/use-format.ts";
import { type Delivery, eventText, type Webhook } from "./webhook.tsx";

const refreshMs = 10_000;

const statuses: Readonly<Record<Delivery["status"], Readonly<{ name: string; tone: Tone }>>> = {
  pending: { name: "On its way", tone: "neutral" },
  delivered: { name: "Delivered", tone: "success" },
  failed: { name: "Failed", tone: "warning" },
  exhausted: { name: "Given up", tone: "danger" },
};

/** What was sent to a webhook in the last 30 days, and how the receiver answered. */
export function DeliveriesCard({ webhook }: Readonly<{ webhook: Webhook }>) {
  const { api, can } = useShop();
  const format = useFormat();
  const change = useChange();
  const search = useSearch({ from: "/$businessId/webhooks/$webhookId" });
  const query = useListPage({
    key: ["webhooks", webhook.id, "deliveries", search],
    list: () => api.webhooks.listDeliveries(webhook.id, { ...search, limit: 50 }),
    refreshMs,
  });
  const maySend = can("webhooks:write") && webhook.status === "active";
  return (
    <Card
      title="Deliveries"
      isFlush
      actions={
        maySend && (
          <Button
            isBusy={change.isBusy}
            onClick={() => void change.run(() => api.webhooks.test(webhook.id), "A test is sent.")}
          >
            Send a test
          </Button>
        )
      }
    >
      <RecordList
        label="Deliveries"
        query={query}
        keyOf={({ id }) => id}
        columns={[
          {
            name: "Event",
            cell: ({ event_type: type, is_test: isTest, event_id: eventId }) => (
              <>
                <strong>{eventText(type)}</strong> {isTest && <Badge>Test</Badge>}
                <p className="small muted">{eventId}</p>
              </>
            ),
          },
          {
            name: "Status",
            cell: ({ status }) => (
              <Badge tone={statuses[status].tone}>{statuses[status].name}</Badge>
            ),
          },
          {
            name: "Attempts",
            isWide: true,
            cell: ({ attempts, next_attempt_at: next }) => (
              <>
                <p>{attemptsText(attempts)}</p>
                {next && <p className="small muted">Next {format.moment(next)}</p>}
              </>
            ),
          },
          { name: "Happened", kind: "tight", cell: ({ created_at: at }) => format.age(at) },
          {
            name: "Actions",
            isNameHidden: true,
            kind: "tight",
            cell: ({ id, status }) =>
              maySend &&
              status !== "pending" && (
                <Button
                  isBusy={change.isBusy}
                  onClick={() =>
                    void change.run(() => api.webhooks.retryDelivery(id), "It is sent again.")
                  }
                >
                  Retry
                </Button>
              ),
          },
        ]}
        empty={
          <EmptyState icon="webhooks" title="Nothing was sent yet">
            <p className="muted">What happens from now on is listed here for 30 days.</p>
          </EmptyState>
        }
      />
    </Card>
  );
}

function attemptsText(attempts: Delivery["attempts"]): string {
  const last = attempts.at(-1);
  if (last === undefined) return "None yet";
  const result = last.error ?? `status ${last.status_code}`;
  const time = `${result}, ${last.duration_ms} ms`;
  return attempts.length === 1 ? time : `${attempts.length} attempts, the last: ${time}`;
}
