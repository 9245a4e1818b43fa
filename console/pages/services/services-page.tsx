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
import { durationText, type ServiceRecord } from "./service.ts";

/** What can be booked. */
export function ServicesPage() {
  const { api, can } = useShop();
  const format = useFormat();
  const navigate = useNavigate({ from: "/$businessId" });
  const { cursor } = useSearch({ from: "/$businessId/services" });
  const query = useListPage({
    key: ["services", cursor],
    list: () => api.services.list({ cursor, limit: 50 }),
  });
  const columns: readonly Column<ServiceRecord>[] = [
    {
      name: "Service",
      cell: ({ id, name, is_active: isActive }) => (
        <span className="row">
          <Link
            className="row-link"
            to="/$businessId/services/$serviceId"
            from="/$businessId"
            params={{ serviceId: id }}
          >
            {name}
          </Link>
          {!isActive && <Badge>Inactive</Badge>}
        </span>
      ),
    },
    { name: "Price", kind: "number", cell: ({ price }) => format.money(price) },
    {
      name: "Length",
      isWide: true,
      cell: (service) => lengthsOf(service).map(durationText).join(", "),
    },
    {
      name: "Staff",
      isWide: true,
      cell: ({ staff }) =>
        staff.length === 0 ? (
          <span className="muted">Nobody needed</span>
        ) : (
          staff.map(({ name }) => name).join(", ")
        ),
    },
    {
      name: "Resources",
      isHiddenOnPhone: true,
      cell: ({ resources }) => resources.map(({ name }) => name).join(", "),
    },
  ];
  return (
    <>
      <PageHead title="Services">
        {can("catalogue:write") && (
          <Button
            look="primary"
            icon="plus"
            onClick={() => void navigate({ to: "/$businessId/services/new" })}
          >
            New service
          </Button>
        )}
      </PageHead>
      <div className="card">
        <RecordList
          label="Services"
          query={query}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon="calendar" title="No services yet">
              <p className="muted">A service is what shoppers book a time for.</p>
            </EmptyState>
          }
        />
      </div>
    </>
  );
}

/** The lengths of a service's variants, shortest first. */
const lengthsOf = ({ variants, duration_minutes: own }: ServiceRecord): readonly number[] =>
  [
    ...new Set(variants.length === 0 ? [own] : variants.map((one) => one.duration_minutes ?? own)),
  ].sort((a, b) => a - b);
