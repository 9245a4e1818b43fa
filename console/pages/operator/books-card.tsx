import { useState } from "react";
import { useMe } from "../../api/me.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { Table } from "../../ui/table.tsx";
import { useToasts } from "../../ui/toast.tsx";
import { operatorApi } from "./operator-api.ts";

type BooksFinding = Awaited<
  ReturnType<typeof operatorApi.deployment.checkBooks>
>["data"]["findings"][number];

/** More findings than these say no more; the rest of the books is then not read. */
const maxFindings = 200;

/** Checks all books of a business, part by part. */
async function checkAll(businessId: string): Promise<readonly BooksFinding[]> {
  const findings: BooksFinding[] = [];
  let cursor: string | null = null;
  do {
    const { data }: Awaited<ReturnType<typeof operatorApi.deployment.checkBooks>> =
      await operatorApi.deployment.checkBooks({ business_id: businessId, cursor });
    findings.push(...data.findings);
    cursor = data.next_cursor;
  } while (cursor !== null && findings.length < maxFindings);
  return findings;
}

/** Compares what the records of a business say about each other. */
export function BooksCard() {
  const { memberships } = useMe();
  const toasts = useToasts();
  const [businessId, setBusinessId] = useState(memberships[0]?.business_id ?? "");
  const [findings, setFindings] = useState<readonly BooksFinding[]>();
  const [isBusy, setIsBusy] = useState(false);

  async function check(): Promise<void> {
    setIsBusy(true);
    setFindings(undefined);
    try {
      setFindings(await checkAll(businessId.trim()));
    } catch (error) {
      toasts.showError(error);
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <Card title="Books" isFlush>
      <form
        className="card-body row"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void check();
        }}
      >
        <TextField
          label="Business"
          value={businessId}
          onChange={setBusinessId}
          error={undefined}
          required
        />
        <Button type="submit" isBusy={isBusy}>
          Check
        </Button>
      </form>
      <div aria-live="polite">
        {findings?.length === 0 && (
          <EmptyState icon="check" title="The books agree">
            <p className="muted">Orders, payments, refunds, stock, bookings and events.</p>
          </EmptyState>
        )}
        {findings !== undefined && findings.length > 0 && (
          <Table
            label="Findings"
            rows={findings}
            keyOf={({ check: name, record }) => `${name} ${record}`}
            columns={[
              { name: "Check", cell: ({ check: name }) => <strong>{name}</strong> },
              { name: "Record", isWide: true, cell: ({ record }) => record },
              { name: "Expected", cell: ({ expected }) => expected ?? "nothing" },
              { name: "Found", cell: ({ found }) => found ?? "nothing" },
            ]}
          />
        )}
      </div>
    </Card>
  );
}
