import { DukaError } from "@duka/sdk/business";
import { QueryCache, QueryClient } from "@tanstack/react-query";
import { meQuery } from "./me.ts";

const minute = 60_000;

/**
 * Answers serve a minute without a request, and half an hour while a newer one is fetched.
 *
 * @param openLogin runs when the service says that the login has ended.
 */
export function createQueryClient(openLogin: () => void): QueryClient {
  const queryClient = new QueryClient({
    queryCache: new QueryCache({
      onError(error) {
        if (!(error instanceof DukaError) || error.status !== 401) return;
        queryClient.setQueryData(meQuery.queryKey, null);
        openLogin();
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: minute,
        gcTime: 30 * minute,
        retry: false, // the client repeats what may be repeated
      },
    },
  });
  return queryClient;
}
