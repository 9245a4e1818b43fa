import { useSearch } from "@tanstack/react-router";
import { useShop } from "../../../api/shop.ts";
import { useListPage } from "../../../api/use-list-page.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { RecordList } from "../../../ui/record-list.tsx";
import { useChange } from "../../../ui/use-change.ts";
import { useFormat } from "../../../ui/use-format.ts";
import { JobState, refreshMs } from "./job-state.tsx";

const bytesPerMegabyte = 1_000_000;

/** The exports of the last 7 days with their files, and the button that starts one. */
export function ExportsCard() {
  const { api } = useShop();
  const format = useFormat();
  const change = useChange();
  const { cursor } = useSearch({ from: "/$businessId/settings/exports" });
  const query = useListPage({
    key: ["exports", cursor],
    list: () => api.importsAndExports.listExports({ cursor, limit: 20 }),
    refreshMs,
  });
  return (
    <Card
      title="Exports"
      isFlush
      actions={
        <Button
          icon="download"
          isBusy={change.isBusy}
          onClick={() =>
            void change.run(
              () => api.importsAndExports.createExport(),
              "The export begins. Its file appears here.",
            )
          }
        >
          Export everything
        </Button>
      }
    >
      <p className="card-body muted">
        A file of everything in the shop: products, stock, customers, orders, payments, bookings and
        more. Changes to the shop wait while it is written. A file names every customer, so keep it
        safe.
      </p>
      <RecordList
        label="Exports"
        query={query}
        keyOf={({ id }) => id}
        columns={[
          {
            name: "Export",
            cell: ({ created_at: at, id }) => (
              <>
                <strong>{format.moment(at)}</strong>
                <p className="small muted">{id}</p>
              </>
            ),
          },
          {
            name: "State",
            cell: ({ status, error }) => (
              <>
                <JobState status={status} />
                {error !== null && <p className="small muted">{error}</p>}
              </>
            ),
          },
          {
            name: "Rows",
            kind: "number",
            cell: ({ row_count: rows }) => `${format.number(rows)} ${rows === 1 ? "row" : "rows"}`,
          },
          {
            name: "Size",
            kind: "number",
            cell: ({ size_bytes: bytes }) =>
              `${format.number(Math.ceil((bytes / bytesPerMegabyte) * 100) / 100)} MB`,
          },
          {
            name: "Kept",
            kind: "tight",
            cell: ({ expires_at: at }) => at !== null && `Until ${format.date(at)}`,
          },
          {
            name: "File",
            isNameHidden: true,
            kind: "tight",
            cell: ({ url, created_at: at }) =>
              url !== null && (
                // A link of its own writes a large file to the disk as it arrives.
                <a
                  className="button normal"
                  href={new URL(url).pathname}
                  download
                  aria-label={`Download the file of ${format.moment(at)}`}
                >
                  <Icon name="download" />
                  Download
                </a>
              ),
          },
        ]}
        empty={
          <EmptyState icon="download" title="No exports in the last 7 days">
            <p className="muted">A file can be downloaded for 7 days after it was written.</p>
          </EmptyState>
        }
      />
    </Card>
  );
}
