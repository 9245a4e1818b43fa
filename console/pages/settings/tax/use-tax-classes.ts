import type { BusinessSchemas } from "@duka/sdk/business";
import { useShop } from "../../../api/shop.ts";
import { useAll } from "../../../api/use-all.ts";

export type TaxClass = BusinessSchemas["TaxClass"];

/** The classes of products that are taxed alike. */
export function useTaxClasses() {
  const { api } = useShop();
  return useAll({
    key: ["tax-classes"],
    list: () => api.tax.listClasses({ limit: 100 }),
    select: (items: readonly TaxClass[]) => items,
  });
}
