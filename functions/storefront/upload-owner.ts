import type { CookieSession } from "../http/authentication/session-cookie.ts";

/** The owner of a session's files. It changes when the session passes to another customer. */
export const uploadOwnerOf = ({
  id,
  ownedSince,
}: Pick<CookieSession, "id" | "ownedSince">): string =>
  ownedSince === 0 ? id : `${id}.${ownedSince}`;
