import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Filters, optionsOf, SearchFilter, SelectFilter } from "../../ui/filters.tsx";
import { keyIn } from "../../ui/list-search.ts";
import { PageHead } from "../../ui/page.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import type { Column } from "../../ui/table.tsx";
import { Thumbnail } from "../../ui/thumbnail.tsx";
import { countOf } from "../../ui/use-bulk-change.ts";
import { useFormat } from "../../ui/use-format.ts";
import { categoryOptions, useCategories } from "../categories/category-tree.ts";
import { BulkProducts } from "./bulk-products.tsx";
import { ExportButton } from "./export-button.tsx";
import { ActiveBadge, type ProductRecord, ProductTypeBadge, productStatuses } from "./product.tsx";
import { ProductLink } from "./product-link.tsx";

/** All products of the shop, also those of services, bundles and composites; newest first. */
export function ProductsPage() {
  const { api, can } = useShop();
  const search = useSearch({ from: "/$businessId/products" });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const categories = useCategories();
  const query = useListPage({
    key: ["products", "list", search],
    list: () =>
      api.products.list({ ...search, status: keyIn(productStatuses, search.status), limit: 50 }),
  });
  const columns = useColumns();
  const chosen = (query.data?.items ?? []).filter(({ id }) => selected.has(id));
  const isFiltered = search.search || search.category_id || search.status;

  return (
    <>
      <PageHead title="Products">
        <ProductActions />
      </PageHead>
      <div className="card">
        {chosen.length > 0 ? (
          <BulkProducts products={chosen} onDone={() => setSelected(new Set())} />
        ) : (
          <Filters>
            <SearchFilter name="search" label="Name, tag or SKU" value={search.search} />
            <SelectFilter
              name="category_id"
              label="Category"
              value={search.category_id}
              options={categoryOptions(categories.data ?? [])}
            />
            <SelectFilter
              name="status"
              label="Status"
              value={search.status}
              options={optionsOf(productStatuses)}
            />
          </Filters>
        )}
        <RecordList
          label="Products"
          query={query}
          columns={columns}
          keyOf={({ id }) => id}
          selection={
            can("catalogue:write")
              ? { selected, onChange: setSelected, labelOf: ({ name }) => name }
              : undefined
          }
          empty={
            <EmptyState
              icon="products"
              title={isFiltered ? "No product matches" : "No products yet"}
            >
              <p className="muted">
                {isFiltered
                  ? "Change the filters to see other products."
                  : "Add one, or import a file of products in Shopify's format."}
              </p>
            </EmptyState>
          }
        />
      </div>
    </>
  );
}

function ProductActions() {
  const { can } = useShop();
  const navigate = useNavigate({ from: "/$businessId/products" });
  return (
    <>
      <ExportButton />
      {can("catalogue:write") && (
        <>
          <Button
            icon="upload"
            onClick={() => void navigate({ to: "/$businessId/products/import" })}
          >
            Import
          </Button>
          <Button
            icon="plus"
            look="primary"
            onClick={() => void navigate({ to: "/$businessId/products/new" })}
          >
            New product
          </Button>
        </>
      )}
    </>
  );
}

function useColumns(): readonly Column<ProductRecord>[] {
  const format = useFormat();
  return [
    {
      name: "Product",
      cell: (product) => (
        <div className="with-thumb">
          <Thumbnail url={product.image_url} />
          <div>
            <ProductLink product={product} /> <ProductTypeBadge type={product.product_type} />
            {product.variants.length > 0 && (
              <p className="small muted">{countOf(product.variants.length, "variant")}</p>
            )}
          </div>
        </div>
      ),
    },
    {
      name: "Price",
      kind: "number",
      cell: ({ price_range: { min, max }, currency }) =>
        min === max ? format.money(min, currency) : `from ${format.money(min, currency)}`,
    },
    { name: "Category", cell: ({ category }) => <span className="muted">{category?.name}</span> },
    {
      name: "Status",
      kind: "tight",
      cell: (product) => <ActiveBadge isActive={product.is_active} />,
    },
  ];
}
