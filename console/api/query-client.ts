import { DukaError } from "@duka/sdk/business";
import { QueryClient } from "@tanstack/react-query";

const minute = 60_000;

/** Answers serve a minute without a request, and half an hour while a newer one is fetched. */
export const createQueryClient = (onLoggedOut: () => void): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: minute,
        gcTime: 30 * minute,
        retry: false, // the client repeats what may be repeated
        throwOnError: (error) => {
          if (error instanceof DukaError && error.status === 401) onLoggedOut();
          return false;
        },
      },
    },
  });
