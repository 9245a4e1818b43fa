import type { BusinessSchemas } from "@duka/sdk/business";
import type { UseQueryResult } from "@tanstack/react-query";
import { useShop } from "../../api/shop.ts";
import { useAll } from "../../api/use-all.ts";

export type Collection = BusinessSchemas["CollectionRecord"];

/** All collections of the shop in the order of display. */
export function useCollections(): UseQueryResult<readonly Collection[]> {
  const { api } = useShop();
  return useAll({
    key: ["collections"],
    list: () => api.collections.list({ limit: 100 }),
    select: (collections) => collections,
  });
}
