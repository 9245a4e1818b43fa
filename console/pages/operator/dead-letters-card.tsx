import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useFormat } from "../../ui/use-format.ts";
import { operatorApi, operatorKey } from "./operator-api.ts";

const { deployment } = operatorApi;

/** Sends all that wait, a hundred at a time. */
async function retryAll(): Promise<void> {
  let left = Number.POSITIVE_INFINITY;
  while (left > 0) {
    const { retried, remaining } = (await deployment.retryDeadLetters()).data;
    if (retried === 0) return;
    left = remaining;
  }
}

/** What a queue gave up on, with the way back into the queue. */
export function DeadLettersCard() {
  const format = useFormat();
  const change = useChange();
  const { cursor } = useSearch({ from: "/operator/" });
  const query = useQuery({
    queryKey: [operatorKey, "dead-letters", cursor],
    queryFn: ({ signal }) => deployment.listDeadLetters({ cursor, limit: 20 }).page({ signal }),
    placeholderData: keepPreviousData,
  });
  const hasWaiting = query.data?.items.some((letter) => letter.retried_at === null) ?? false;
  return (
    <Card
      title="Dead letters"
      isFlush
      actions={
        hasWaiting && (
          <Button
            isBusy={change.isBusy}
            onClick={() => void change.run(retryAll, "All are sent again.")}
          >
            Retry all
          </Button>
        )
      }
    >
      <RecordList
        label="Dead letters"
        query={query}
        keyOf={({ id }) => id}
        columns={[
          {
            name: "Business",
            cell: ({ business_id: businessId, queue, shard }) => (
              <>
                <strong>{businessId}</strong>
                <p className="small muted">
                  {queue}, {shard}
                </p>
              </>
            ),
          },
          { name: "Given up", cell: ({ received_at: at }) => format.moment(at) },
          {
            name: "Retry",
            isNameHidden: true,
            kind: "tight",
            cell: ({ id, business_id: businessId, retried_at: at }) =>
              at === null ? (
                <Button
                  isBusy={change.isBusy}
                  aria-label={`Retry ${businessId}`}
                  onClick={() =>
                    void change.run(() => deployment.retryDeadLetter(id), "It is sent again.")
                  }
                >
                  Retry
                </Button>
              ) : (
                `Sent ${format.age(at)}`
              ),
          },
        ]}
        empty={
          <EmptyState icon="check" title="No dead letters">
            <p className="muted">A message appears here when its queue has given up on it.</p>
          </EmptyState>
        }
      />
    </Card>
  );
}
