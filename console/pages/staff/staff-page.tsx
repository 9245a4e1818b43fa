import type { BusinessSchemas } from "@duka/sdk/business";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHead } from "../../ui/page.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import type { Column } from "../../ui/table.tsx";
import { useFormat } from "../../ui/use-format.ts";

type StaffEntry = BusinessSchemas["StaffMember"];

/** The people who are booked. */
export function StaffPage() {
  const { api, can } = useShop();
  const format = useFormat();
  const navigate = useNavigate({ from: "/$businessId" });
  const { cursor } = useSearch({ from: "/$businessId/staff" });
  const query = useListPage({
    key: ["staff", cursor],
    list: () => api.staff.list({ cursor, limit: 50 }),
  });
  const today = format.localDay(new Date());
  const columns: readonly Column<StaffEntry>[] = [
    {
      name: "Name",
      cell: ({ id, name }) => (
        <Link
          className="row-link"
          to="/$businessId/staff/$staffId"
          from="/$businessId"
          params={{ staffId: id }}
        >
          {name}
        </Link>
      ),
    },
    {
      name: "Works",
      cell: ({ hours }) => (hours === null ? "Whenever the location is open" : workingDays(hours)),
    },
    {
      name: "Time off",
      kind: "tight",
      cell: ({ time_off: timeOff }) => {
        const now = timeOff.find(({ from, to }) => from <= today && today <= to);
        if (now) return <Badge tone="warning">{`Away until ${format.day(now.to)}`}</Badge>;
        const next = timeOff
          .filter(({ from }) => from > today)
          .map(({ from }) => from)
          .sort()[0];
        return next ? <span className="muted">From {format.day(next)}</span> : "";
      },
    },
  ];
  return (
    <>
      <PageHead title="Staff">
        {can("catalogue:write") && (
          <Button
            look="primary"
            icon="plus"
            onClick={() => void navigate({ to: "/$businessId/staff/new" })}
          >
            New staff member
          </Button>
        )}
      </PageHead>
      <div className="card">
        <RecordList
          label="Staff"
          query={query}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon="customers" title="No staff yet">
              <p className="muted">
                Services that name staff can be booked when one of them is free.
              </p>
            </EmptyState>
          }
        />
      </div>
    </>
  );
}

const shortNames: Readonly<Record<string, string>> = {
  mon: "Mon",
  tue: "Tue",
  wed: "Wed",
  thu: "Thu",
  fri: "Fri",
  sat: "Sat",
  sun: "Sun",
};

const workingDays = (hours: NonNullable<StaffEntry["hours"]>): string =>
  Object.entries(shortNames)
    .filter(([weekday]) => (hours[weekday]?.length ?? 0) > 0)
    .map(([, name]) => name)
    .join(", ") || "Never";
