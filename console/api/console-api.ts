import { DukaError } from "@duka/sdk/business";

export type Me = Readonly<{
  user: Readonly<{ id: string; email: string; name: string | null }>;
  memberships: readonly Membership[];
}>;

export type Membership = Readonly<{
  business_id: string;
  business_name: string;
  mode: "live" | "test";
  role: "owner" | "manager" | "catalogue" | "orders" | "viewer";
  scopes: readonly string[];
  currency: string;
  timezone: string;
  locations: readonly Readonly<{ id: string; name: string; is_default: boolean }>[];
}>;

async function call<T>(method: string, path: string, body?: unknown): Promise<{ data: T }> {
  const response = await fetch(`/v1/console${path}`, {
    method,
    ...(body !== undefined && {
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
  const answer = await response.json();
  if (response.ok) return answer;
  throw new DukaError({ ...answer.error, status: response.status });
}

export const consoleApi = {
  requestCode: (input: { contact: string }) => call<unknown>("POST", "/auth/request-otp", input),
  logIn: (input: { contact: string; otp_code: string }) =>
    call<unknown>("POST", "/auth/verify-otp", input),
  logOut: () => call<unknown>("POST", "/auth/logout", {}),
  getMe: () => call<Me>("GET", "/me"),
};
