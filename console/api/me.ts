import { DukaError } from "@duka/sdk/business";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { consoleApi, type Me } from "./console-api.ts";

const minute = 60_000;

/** Who is logged in; null when nobody is. Read again to notice another role. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async (): Promise<Me | null> => {
    try {
      return (await consoleApi.me.get()).data;
    } catch (error) {
      if (error instanceof DukaError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 5 * minute,
});

/** The answer that the route has loaded before its page is shown. */
export const useLoadedMe = (): Me | null => useQuery(meQuery).data ?? null;

export const MeContext = createContext<Me | null>(null);

/** The person who is logged in. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (me === null) throw new Error("This component must be rendered after the login.");
  return me;
}
