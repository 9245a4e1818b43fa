import type { List } from "@duka/sdk/business";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useShop } from "./shop.ts";

type AllInput<T, R> = Readonly<{
  /** Names the list among the cached answers. */
  key: readonly unknown[];
  list: () => List<T>;
  select: (items: readonly T[]) => R;
  isEnabled?: boolean;
}>;

/** All records of a list that is short, such as the categories. */
export function useAll<T, R>({
  key,
  list,
  select,
  isEnabled = true,
}: AllInput<T, R>): UseQueryResult<R> {
  const { id } = useShop();
  return useQuery({
    queryKey: [id, ...key, { isWhole: true }], // not equal to the key of any page of the list
    enabled: isEnabled,
    queryFn: async () => {
      const items: T[] = [];
      for await (const item of list()) items.push(item);
      return items;
    },
    select,
  });
}
