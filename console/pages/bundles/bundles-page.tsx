import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHead } from "../../ui/page.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { Thumbnail } from "../../ui/thumbnail.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { ActiveBadge } from "../products/product.tsx";

/** The bundles of the shop, newest first. */
export function BundlesPage() {
  const { api, can } = useShop();
  const format = useFormat();
  const { cursor } = useSearch({ from: "/$businessId/bundles" });
  const navigate = useNavigate({ from: "/$businessId/bundles" });
  const query = useListPage({
    key: ["bundles", "list", cursor],
    list: () => api.bundles.list({ cursor, limit: 50 }),
  });
  return (
    <>
      <PageHead title="Bundles">
        {can("catalogue:write") && (
          <Button
            icon="plus"
            look="primary"
            onClick={() => void navigate({ to: "/$businessId/bundles/new" })}
          >
            New bundle
          </Button>
        )}
      </PageHead>
      <div className="card">
        <RecordList
          label="Bundles"
          query={query}
          keyOf={({ id }) => id}
          columns={[
            {
              name: "Bundle",
              cell: ({ id, name, image_url: url }) => (
                <div className="with-thumb">
                  <Thumbnail url={url} />
                  <Link
                    className="row-link"
                    to="/$businessId/bundles/$bundleId"
                    from="/$businessId"
                    params={{ bundleId: id }}
                  >
                    {name}
                  </Link>
                </div>
              ),
            },
            {
              name: "Price",
              kind: "number",
              cell: ({ default_price: price, currency }) => format.money(price, currency),
            },
            {
              name: "Contains",
              cell: ({ components }) => (
                <span className="muted">
                  {components.map(({ quantity, name }) => `${quantity} × ${name}`).join(", ")}
                </span>
              ),
            },
            {
              name: "Status",
              kind: "tight",
              cell: (bundle) => <ActiveBadge isActive={bundle.is_active} />,
            },
          ]}
          empty={
            <EmptyState icon="products" title="No bundles yet">
              <p className="muted">A bundle sells several products together for one price.</p>
            </EmptyState>
          }
        />
      </div>
    </>
  );
}
