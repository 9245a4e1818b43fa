import type { BusinessSchemas } from "@duka/sdk/business";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { type Shop, useShop } from "../api/shop.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { navigation, type PagePath } from "./navigation.ts";

type Result = Readonly<{
  key: string;
  icon: IconName;
  name: string;
  detail: string;
  to: PagePath;
  params?: Readonly<Record<string, string>>;
}>;

/** Goes to any page, and finds orders, products and customers. Opened with Ctrl+K. */
export function CommandPalette({ onClose }: Readonly<{ onClose: () => void }>) {
  const shop = useShop();
  const navigate = useNavigate({ from: "/$businessId" });
  const dialog = useRef<HTMLDialogElement>(null);
  const listId = useId();
  const [text, setText] = useState("");
  const [position, setPosition] = useState(0);
  const search = useDeferredValue(text.trim());
  const { data: found = [] } = useQuery({
    queryKey: [shop.id, "palette", search],
    queryFn: ({ signal }) => findRecords(shop, search, signal),
    enabled: search.length >= 2,
  });
  const results = [...findPages(shop, text), ...(text.trim().length >= 2 ? found : [])];
  const current = results[Math.min(position, results.length - 1)];

  useEffect(() => {
    dialog.current?.showModal();
  }, []);

  function open(result: Result) {
    onClose();
    void navigate({ to: result.to, params: (before) => ({ ...before, ...result.params }) });
  }

  return (
    <dialog
      ref={dialog}
      className="dialog palette"
      aria-label="Search"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <input
        className="input"
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={current && `${listId}-${current.key}`}
        aria-label="Search pages, orders, products and customers"
        placeholder="Search pages, orders, products and customers"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setPosition(0);
        }}
        onKeyDown={(event) => {
          const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
          if (step !== 0) {
            event.preventDefault();
            setPosition((position + step + results.length) % Math.max(1, results.length));
          } else if (event.key === "Enter" && current) open(current);
        }}
      />
      <div className="results" role="listbox" id={listId} aria-label="Results">
        {results.map((result) => (
          <button
            type="button"
            key={result.key}
            id={`${listId}-${result.key}`}
            role="option"
            tabIndex={-1}
            aria-selected={result === current}
            onClick={() => open(result)}
          >
            <Icon name={result.icon} />
            <span>{result.name}</span>
            <span className="muted small">{result.detail}</span>
          </button>
        ))}
        {results.length === 0 && <p className="empty muted">Nothing found.</p>}
      </div>
    </dialog>
  );
}

const findPages = ({ can }: Shop, text: string): readonly Result[] =>
  navigation
    .filter(({ scope }) => scope === undefined || can(scope))
    .flatMap(({ icon, pages = [], tabs = [], ...page }) => [
      { ...page, icon },
      ...pages.map((one) => ({ ...one, icon })),
      ...tabs
        .filter(
          ({ to, scope = page.scope }) => to !== page.to && (scope === undefined || can(scope)),
        )
        .map((one) => ({ ...one, icon })),
    ])
    .filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()))
    .map(({ name, to, icon }) => ({ key: to, icon, name, detail: "Page", to }));

const resultsOfKind = 5;

async function findRecords(
  { api, can }: Shop,
  search: string,
  signal: AbortSignal,
): Promise<readonly Result[]> {
  const input = { search, limit: resultsOfKind };
  const [orders, products, customers] = await Promise.all([
    can("orders:read") ? api.orders.list(input).page({ signal }) : null,
    can("catalogue:read") ? api.products.list(input).page({ signal }) : null,
    can("customers:read") ? api.customers.list(input).page({ signal }) : null,
  ]);
  return [
    ...(orders?.items ?? []).map(toOrderResult),
    ...(products?.items ?? []).map(toProductResult),
    ...(customers?.items ?? []).map(toCustomerResult),
  ];
}

const toOrderResult = (order: BusinessSchemas["MerchantOrder"]): Result => ({
  key: order.id,
  icon: "orders",
  name: order.order_number,
  detail: order.customer_name ?? "",
  to: "/$businessId/orders/$orderId",
  params: { orderId: order.id },
});

const toProductResult = (product: BusinessSchemas["ProductRecord"]): Result => ({
  key: product.id,
  icon: "products",
  name: product.name,
  detail: product.category?.name ?? "Product",
  to: "/$businessId/products/$productId",
  params: { productId: product.id },
});

const toCustomerResult = (customer: BusinessSchemas["MerchantCustomer"]): Result => ({
  key: customer.id,
  icon: "customers",
  name: customer.name ?? customer.email ?? customer.phone ?? "Customer",
  detail: customer.email ?? customer.phone ?? "",
  to: "/$businessId/customers/$customerId",
  params: { customerId: customer.id },
});
