import { createConsole } from "@duka/sdk/console";

/** The calls of the login, which belong to no business. */
export const consoleApi = createConsole({ baseUrl: window.location.origin });

/** Who is logged in, and for which businesses they work. */
export type Me = Awaited<ReturnType<typeof consoleApi.me.get>>["data"];

export type Membership = Me["memberships"][number];

/** What a role may do, such as `orders:write`. */
export type AccessScope = Membership["scopes"][number];
