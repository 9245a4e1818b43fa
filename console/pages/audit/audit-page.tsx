import type { BusinessSchemas } from "@duka/sdk/business";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { DateFilter, Filters, SearchFilter } from "../../ui/filters.tsx";
import { PageHead } from "../../ui/page.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { RecordLink } from "./record-link.tsx";

type AuditEntry = BusinessSchemas["AuditEntry"];

/** Who changed what and when. */
export function AuditPage() {
  const { api } = useShop();
  const format = useFormat();
  const search = useSearch({ from: "/$businessId/audit" });
  const [shown, setShown] = useState<AuditEntry>();
  const query = useListPage({
    key: ["audit", search],
    list: () => api.audit.list({ ...search, limit: 50 }),
  });
  return (
    <>
      <PageHead title="Audit" />
      <div className="card">
        <Filters>
          <SearchFilter name="entity" label="Id of a record" value={search.entity} />
          <SearchFilter name="actor" label="Id of who did it" value={search.actor} />
          <DateFilter name="from" label="From" value={search.from} />
          <DateFilter name="to" label="To" value={search.to} />
        </Filters>
        <RecordList
          label="Changes"
          query={query}
          keyOf={({ id }) => id}
          columns={[
            { name: "Change", cell: ({ action }) => <strong>{actionText(action)}</strong> },
            { name: "When", kind: "tight", cell: ({ at }) => format.moment(at) },
            { name: "Record", isWide: true, cell: ({ entity }) => <RecordLink id={entity} /> },
            {
              name: "By",
              cell: ({ actor }) => <span className="muted">{actorText(actor)}</span>,
            },
            {
              name: "Details",
              isNameHidden: true,
              kind: "tight",
              cell: (entry) =>
                hasDetails(entry) && (
                  <Button
                    aria-label={`Details of ${actionText(entry.action)}, ${format.moment(entry.at)}`}
                    onClick={() => setShown(entry)}
                  >
                    Details
                  </Button>
                ),
            },
          ]}
          empty={
            <EmptyState icon="audit" title="No changes here">
              <p className="muted">Every change of the shop is recorded. Or change the filters.</p>
            </EmptyState>
          }
        />
      </div>
      {shown && (
        <ChangeDialog
          title={actionText(shown.action)}
          before={shown.before}
          after={shown.after}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}

const hasDetails = ({ before, after }: AuditEntry): boolean =>
  (before ?? null) !== null || (after ?? null) !== null;

/** `tax_rate.created` is "Tax rate created". */
function actionText(action: string): string {
  const words = action.replace(/[._]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The service names its own jobs `system:<job>`. */
const actorText = (actor: string): string =>
  actor.startsWith("system:")
    ? `Service (${actor.slice("system:".length).replaceAll("-", " ")})`
    : actor === "operator"
      ? "Operator"
      : actor === "guest"
        ? "Guest"
        : actor;
