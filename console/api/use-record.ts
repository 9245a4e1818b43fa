import type { CallOptions, Result } from "@duka/sdk/business";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useShop } from "./shop.ts";

type RecordInput<T> = Readonly<{
  /** Names the record among the cached answers. */
  key: readonly unknown[];
  get: (options: CallOptions) => Promise<Result<T>>;
  /** Milliseconds after which the record is read again while it is shown. */
  refreshMs?: number;
  isEnabled?: boolean;
}>;

/** One record, or any single answer, of the shop. */
export function useRecord<T>({
  key,
  get,
  refreshMs,
  isEnabled = true,
}: RecordInput<T>): UseQueryResult<T> {
  const { id } = useShop();
  return useQuery({
    queryKey: [id, ...key],
    enabled: isEnabled,
    queryFn: async ({ signal }) => (await get({ signal })).data,
    ...(refreshMs !== undefined && { refetchInterval: refreshMs }),
  });
}
