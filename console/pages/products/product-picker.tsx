import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { useShop } from "../../api/shop.ts";
import { PickerDialog } from "../../ui/picker-dialog.tsx";
import { useFormat } from "../../ui/use-format.ts";
import type { ProductRecord } from "./product.tsx";

const shownProducts = 20;
const idsPerCall = 100;

type ProductPickerProps = Readonly<{
  title: string;
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
  /** Whether a product can be chosen. */
  accepts?: (product: ProductRecord) => boolean;
  onClose: () => void;
}>;

/** Chooses products of the shop. */
export function ProductPicker({ accepts = () => true, ...dialog }: ProductPickerProps) {
  const { id, api } = useShop();
  const format = useFormat();
  const [search, setSearch] = useState("");
  const text = useDeferredValue(search.trim());
  const query = useQuery({
    queryKey: [id, "products", "picker", text],
    queryFn: async ({ signal }) => {
      const input = { limit: shownProducts, ...(text !== "" && { search: text }) };
      return (await api.products.list(input).page({ signal })).items;
    },
    placeholderData: keepPreviousData,
  });
  const choices = query.data?.filter(accepts).map((product) => ({
    id: product.id,
    name: product.name,
    detail: format.money(product.default_price, product.currency),
    imageUrl: product.image_url,
  }));
  return (
    <PickerDialog {...dialog} search={search} onSearch={setSearch} choices={choices ?? null} />
  );
}

/** Products by their ids, as far as they exist and are loaded. */
export function useProducts(ids: readonly string[]): ReadonlyMap<string, ProductRecord> {
  const { id, api } = useShop();
  const wanted = [...new Set(ids)].sort();
  const query = useQuery({
    queryKey: [id, "products", "by-id", wanted],
    enabled: wanted.length > 0,
    queryFn: async ({ signal }) => {
      const found: ProductRecord[] = [];
      for (let start = 0; start < wanted.length; start += idsPerCall) {
        const part = wanted.slice(start, start + idsPerCall);
        const list = api.products.list({ ids: part.join(","), limit: idsPerCall });
        found.push(...(await list.page({ signal })).items);
      }
      return found;
    },
    placeholderData: keepPreviousData,
  });
  return new Map((query.data ?? []).map((product) => [product.id, product]));
}

/** Bundles and composites take plain products alone. */
export const isPlainProduct = ({ product_type: type }: ProductRecord): boolean =>
  type !== "bundle" && type !== "composite";
