import type { List, Page } from "@duka/sdk/business";
import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useShop } from "./shop.ts";

type ListPageInput<T, D> = Readonly<{
  /** Names the list among the cached ones, with all that its answer depends on. */
  key: readonly unknown[];
  list: () => List<T, D>;
  /** Milliseconds after which the page is read again while it is open. */
  refreshMs?: number;
}>;

/** One page of a list of the shop. While the next page loads, the one before it stays. */
export function useListPage<T, D>({
  key,
  list,
  refreshMs,
}: ListPageInput<T, D>): UseQueryResult<Page<T, D>> {
  const { id } = useShop();
  return useQuery({
    queryKey: [id, ...key],
    queryFn: ({ signal }) => list().page({ signal }),
    placeholderData: keepPreviousData,
    ...(refreshMs !== undefined && { refetchInterval: refreshMs }),
  });
}
