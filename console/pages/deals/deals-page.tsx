import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHead } from "../../ui/page.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { DealBadge, describeDeal } from "./deal-state.tsx";

/** The deals of the shop: coupons, and those that apply by themselves. */
export function DealsPage() {
  const { api, can } = useShop();
  const format = useFormat();
  const { cursor } = useSearch({ from: "/$businessId/deals" });
  const navigate = useNavigate({ from: "/$businessId/deals" });
  const query = useListPage({
    key: ["deals", "list", cursor],
    list: () => api.deals.list({ cursor, limit: 50 }),
  });
  return (
    <>
      <PageHead title="Deals">
        {can("catalogue:write") && (
          <Button
            icon="plus"
            look="primary"
            onClick={() => void navigate({ to: "/$businessId/deals/new" })}
          >
            New deal
          </Button>
        )}
      </PageHead>
      <div className="card">
        <RecordList
          label="Deals"
          query={query}
          keyOf={({ id }) => id}
          columns={[
            {
              name: "Deal",
              cell: ({ id, name }) => (
                <Link
                  className="row-link"
                  to="/$businessId/deals/$dealId"
                  from="/$businessId"
                  params={{ dealId: id }}
                >
                  {name}
                </Link>
              ),
            },
            { name: "Status", kind: "tight", cell: (deal) => <DealBadge deal={deal} /> },
            { name: "Discount", cell: (deal) => describeDeal(deal, format) },
            {
              name: "Code",
              kind: "tight",
              cell: ({ code }) =>
                code === null ? <span className="muted">Automatic</span> : <code>{code}</code>,
            },
            {
              name: "Used",
              kind: "number",
              isWide: true,
              cell: ({ times_redeemed: used, usage_limit: limit }) =>
                limit === null
                  ? `${format.number(used)} times`
                  : `${format.number(used)} of ${format.number(limit)}`,
            },
          ]}
          empty={
            <EmptyState icon="tag" title="No deals yet">
              <p className="muted">
                A deal takes something off orders, by itself or with a coupon code.
              </p>
            </EmptyState>
          }
        />
      </div>
    </>
  );
}
