import { type LinkMethods, linkRoutes } from "./generated/link.ts";
import type { components } from "./generated/link-types.ts";
import { createMethods } from "./runtime/methods.ts";
import { isRecord } from "./runtime/route.ts";
import type { ClientOptions } from "./runtime/types.ts";

/** The records of the Link API by name, such as `LinkSchemas["LinkTokens"]`. */
export type LinkSchemas = components["schemas"];

/** The tokens of a customer's login at Link. Each refresh replaces both. */
export type LinkTokens = Readonly<{ sessionToken?: string; refreshToken?: string }>;

export type LinkOptions = ClientOptions &
  LinkTokens &
  Readonly<{
    publicKey: string;
    /** Receives the tokens of a login and of each refresh, to keep them between visits. */
    onTokens?: ((tokens: LinkTokens) => unknown) | undefined;
  }>;

export type Link = LinkMethods;

/**
 * A customer's client of Link. It keeps the tokens of a login and refreshes them when the session
 * token has expired.
 */
export function createLink(options: LinkOptions): Link {
  let { sessionToken, refreshToken } = options;
  let refreshing: Promise<boolean> | undefined;

  async function keepTokens(data: unknown): Promise<void> {
    if (!isRecord(data)) return;
    const { session_token: session, refresh_token: refresh } = data;
    if (typeof session !== "string" || typeof refresh !== "string") return;
    sessionToken = session;
    refreshToken = refresh;
    await options.onTokens?.({ sessionToken, refreshToken });
  }

  async function refresh(): Promise<boolean> {
    if (refreshToken === undefined) return false;
    const token = refreshToken;
    refreshToken = undefined; // a refused one is not tried again
    await methods.auth.refreshTokens({ refresh_token: token });
    return true;
  }

  const methods = createMethods<LinkMethods>(
    {
      options,
      prefix: "/v1/link",
      caller: {
        headers({ flags }) {
          const headers: Record<string, string> = { "X-Public-Key": options.publicKey };
          if (flags.has("session") && sessionToken) {
            headers.Authorization = `Bearer ${sessionToken}`;
          }
          return headers;
        },
        async renew({ flags }) {
          if (!flags.has("session")) return false;
          refreshing ??= refresh().finally(() => {
            refreshing = undefined;
          });
          return refreshing;
        },
      },
    },
    linkRoutes,
    { onAnswer: keepTokens },
  );
  return methods;
}
