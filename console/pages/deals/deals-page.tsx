import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Filters, optionsOf, SearchFilter, SelectFilter } from "../../ui/filters.tsx";
import { keyIn } from "../../ui/list-search.ts";
import { PageHead } from "../../ui/page.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { DealBadge, dealStates, describeDeal } from "./deal-state.tsx";

/** The deals of the shop: coupons, and those that apply by themselves. */
export function DealsPage() {
  const { api, can } = useShop();
  const format = useFormat();
  const search = useSearch({ from: "/$businessId/deals" });
  const isFiltered = search.search !== undefined || search.status !== undefined;
  const navigate = useNavigate({ from: "/$businessId/deals" });
  const query = useListPage({
    key: ["deals", "list", search],
    list: () => api.deals.list({ ...search, status: keyIn(dealStates, search.status), limit: 50 }),
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
        <Filters>
          <SearchFilter name="search" label="Name or code" value={search.search} />
          <SelectFilter
            name="status"
            label="Status"
            value={search.status}
            options={optionsOf(dealStates)}
          />
        </Filters>
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
            <EmptyState icon="tag" title={isFiltered ? "No deal matches" : "No deals yet"}>
              <p className="muted">
                {isFiltered
                  ? "Change the filters to see other deals."
                  : "A deal takes something off orders, by itself or with a coupon code."}
              </p>
            </EmptyState>
          }
        />
      </div>
    </>
  );
}
