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

/** The composites of the shop, newest first. */
export function CompositesPage() {
  const { api, can } = useShop();
  const format = useFormat();
  const { cursor } = useSearch({ from: "/$businessId/composites" });
  const navigate = useNavigate({ from: "/$businessId/composites" });
  const query = useListPage({
    key: ["composites", "list", cursor],
    list: () => api.composites.list({ cursor, limit: 50 }),
  });
  return (
    <>
      <PageHead title="Composites">
        {can("catalogue:write") && (
          <Button
            icon="plus"
            look="primary"
            onClick={() => void navigate({ to: "/$businessId/composites/new" })}
          >
            New composite
          </Button>
        )}
      </PageHead>
      <div className="card">
        <RecordList
          label="Composites"
          query={query}
          keyOf={({ id }) => id}
          columns={[
            {
              name: "Composite",
              cell: ({ id, name, image_url: url }) => (
                <div className="with-thumb">
                  <Thumbnail url={url} />
                  <Link
                    className="row-link"
                    to="/$businessId/composites/$compositeId"
                    from="/$businessId"
                    params={{ compositeId: id }}
                  >
                    {name}
                  </Link>
                </div>
              ),
            },
            {
              name: "Price",
              kind: "number",
              cell: ({ base_price: price, currency }) => `from ${format.money(price, currency)}`,
            },
            {
              name: "Choices",
              cell: ({ groups }) => (
                <span className="muted">{groups.map(({ name }) => name).join(", ")}</span>
              ),
            },
            {
              name: "Status",
              kind: "tight",
              cell: (composite) => <ActiveBadge isActive={composite.is_active} />,
            },
          ]}
          empty={
            <EmptyState icon="products" title="No composites yet">
              <p className="muted">
                Shoppers put a composite together themselves, such as a bowl of a base and toppings.
              </p>
            </EmptyState>
          }
        />
      </div>
    </>
  );
}
