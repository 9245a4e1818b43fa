import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHead } from "../../ui/page.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { Thumbnail } from "../../ui/thumbnail.tsx";
import { useFormat } from "../../ui/use-format.ts";

/** The collections of the shop in the order of display. */
export function CollectionsPage() {
  const { api, can } = useShop();
  const format = useFormat();
  const { cursor } = useSearch({ from: "/$businessId/collections" });
  const navigate = useNavigate({ from: "/$businessId/collections" });
  const query = useListPage({
    key: ["collections", "list", cursor],
    list: () => api.collections.list({ cursor, limit: 50 }),
  });
  return (
    <>
      <PageHead title="Collections">
        {can("catalogue:write") && (
          <Button
            icon="plus"
            look="primary"
            onClick={() => void navigate({ to: "/$businessId/collections/new" })}
          >
            New collection
          </Button>
        )}
      </PageHead>
      <div className="card">
        <RecordList
          label="Collections"
          query={query}
          keyOf={({ id }) => id}
          columns={[
            {
              name: "Collection",
              cell: ({ id, name, image_url: url }) => (
                <div className="with-thumb">
                  <Thumbnail url={url} />
                  <Link
                    className="row-link"
                    to="/$businessId/collections/$collectionId"
                    from="/$businessId"
                    params={{ collectionId: id }}
                  >
                    {name}
                  </Link>
                </div>
              ),
            },
            {
              name: "Products",
              kind: "number",
              cell: ({ product_count: count }) =>
                `${format.number(count)} ${count === 1 ? "product" : "products"}`,
            },
            {
              name: "Selection",
              isWide: true,
              cell: ({ rule }) => (
                <span className="muted">
                  {rule ? `All with ${rule.tags.join(" and ")}` : "Chosen products"}
                </span>
              ),
            },
          ]}
          empty={
            <EmptyState icon="products" title="No collections yet">
              <p className="muted">
                A collection shows products together, such as a season's or those with a tag.
              </p>
            </EmptyState>
          }
        />
      </div>
    </>
  );
}
