import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { LoadError, Skeleton } from "./loading.tsx";

/** Shows what a query has loaded; before that grey lines, or why it failed. */
export function Loaded<T>({
  query,
  children,
}: Readonly<{ query: UseQueryResult<T>; children: (data: T) => ReactNode }>) {
  if (query.isPending) return <Skeleton lines={6} />;
  if (query.isError) {
    return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
  }
  return <>{children(query.data)}</>;
}
