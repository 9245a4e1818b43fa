import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Filters, SearchFilter } from "../../ui/filters.tsx";
import { PageHead } from "../../ui/page.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { saveFile } from "../../ui/save-file.ts";
import type { Column } from "../../ui/table.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useFormat } from "../../ui/use-format.ts";
import { type Customer, nameOf } from "./customer.ts";
import { CustomerDialog } from "./customer-dialog.tsx";

/** The customers of the shop, newest first. */
export function CustomersPage() {
  const { api, can } = useShop();
  const format = useFormat();
  const change = useChange();
  const search = useSearch({ from: "/$businessId/customers" });
  const [isCreating, setIsCreating] = useState(false);
  const query = useListPage({
    key: ["customers", search],
    list: () => api.customers.list({ ...search, limit: 50 }),
  });
  const columns: readonly Column<Customer>[] = [
    {
      name: "Name",
      cell: (customer) => (
        <Link
          className="row-link"
          to="/$businessId/customers/$customerId"
          from="/$businessId"
          params={{ customerId: customer.id }}
        >
          {nameOf(customer)}
        </Link>
      ),
    },
    {
      name: "Since",
      kind: "tight",
      cell: ({ created_at }) => <time dateTime={created_at}>{format.date(created_at)}</time>,
    },
    {
      name: "Contact",
      isWide: true,
      cell: ({ email, phone }) => [email, phone].filter(Boolean).join(" · "),
    },
    {
      name: "Tags",
      isWide: true,
      cell: ({ tags, is_tax_exempt: isExempt, erased_at: erasedAt }) => (
        <div className="row">
          {tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
          {isExempt && <Badge>Tax exempt</Badge>}
          {erasedAt !== null && <Badge>Erased</Badge>}
        </div>
      ),
    },
  ];

  async function exportCsv() {
    const { data } = await api.customers.export(search.search ? { search: search.search } : {});
    saveFile("customers.csv", String(data), "text/csv");
  }

  return (
    <>
      <PageHead title="Customers">
        <Button
          icon="download"
          isBusy={change.isBusy}
          onClick={() => void change.run(exportCsv, "The file is in your downloads.")}
        >
          Export
        </Button>
        {can("customers:write") && (
          <Button look="primary" icon="plus" onClick={() => setIsCreating(true)}>
            New customer
          </Button>
        )}
      </PageHead>
      <div className="card">
        <Filters>
          <SearchFilter name="search" label="Name, e-mail or phone" value={search.search} />
        </Filters>
        <RecordList
          label="Customers"
          query={query}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon="customers" title="No customers here">
              <p className="muted">
                {search.search
                  ? "Nobody's name, e-mail address or phone number begins like this."
                  : "Shoppers appear here when they log in. You can also create a customer."}
              </p>
            </EmptyState>
          }
        />
      </div>
      {isCreating && <CustomerDialog onClose={() => setIsCreating(false)} />}
    </>
  );
}
