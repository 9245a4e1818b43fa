import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { consoleApi } from "../api/console-api.ts";

/** Ends the login, forgets what it has read, and opens the login's page. */
export function useLogOut(): () => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await consoleApi.auth.logOut();
    queryClient.clear();
    await navigate({ to: "/login" });
  };
}
