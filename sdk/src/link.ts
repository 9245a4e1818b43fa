import { type LinkMethods, linkRoutes } from "./generated/link.ts";
import type { components } from "./generated/link-types.ts";
import { UnauthorizedError } from "./runtime/errors.ts";
import { createMethods } from "./runtime/methods.ts";
import { isRecord } from "./runtime/route.ts";
import { newKey } from "./runtime/send.ts";
import type { ClientOptions } from "./runtime/types.ts";

/** The records of the Link API by name, such as `LinkSchemas["LinkTokens"]`. */
export type LinkSchemas = components["schemas"];

/** The tokens of a customer's login at Link. Each refresh replaces both. */
export type LinkTokens = Readonly<{ sessionToken?: string; refreshToken?: string }>;

export type LinkOptions = ClientOptions &
  LinkTokens &
  Readonly<{
    publicKey: string;
    /**
     * Receives the tokens of a login and of each refresh, to keep them between visits. After a
     * logout, and when the session cannot be refreshed, there are none.
     */
    onTokens?: ((tokens: LinkTokens) => unknown) | undefined;
  }>;

export type Link = LinkMethods;

/**
 * A customer's client of Link. It keeps the tokens of a login and refreshes them when the session
 * token has expired.
 */
export function createLink(options: LinkOptions): Link {
  let { sessionToken, refreshToken } = options;
  let refreshKey = newKey();
  let refreshing: Promise<boolean> | undefined;

  async function keepTokens(tokens: LinkTokens): Promise<void> {
    ({ sessionToken, refreshToken } = tokens);
    refreshKey = newKey();
    await options.onTokens?.(tokens);
  }

  async function keepAnswer(data: unknown, path: string): Promise<void> {
    if (path === "/auth/logout") return keepTokens({});
    if (!isRecord(data)) return;
    const { session_token: session, refresh_token: refresh } = data;
    if (typeof session !== "string" || typeof refresh !== "string") return;
    await keepTokens({ sessionToken: session, refreshToken: refresh });
  }

  /** Refreshes with one key for each token: with another key it counts as stolen. */
  async function refresh(): Promise<boolean> {
    if (refreshToken === undefined) return false;
    const input = { refresh_token: refreshToken };
    try {
      await methods.auth.refreshTokens(input, { idempotencyKey: refreshKey });
      return true;
    } catch (error) {
      if (error instanceof UnauthorizedError) await keepTokens({});
      throw error;
    }
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
        async renew({ flags }, { Authorization: sent }) {
          if (!flags.has("session")) return false;
          if (sessionToken && sent !== `Bearer ${sessionToken}`) return true; // renewed meanwhile
          refreshing ??= refresh().finally(() => {
            refreshing = undefined;
          });
          return refreshing;
        },
      },
    },
    linkRoutes,
    { onAnswer: keepAnswer },
  );
  return methods;
}
