import type { Session } from "../http/authentication/session-cookie.ts";

/** Whose a session's files are: one that passes to another customer leaves them behind. */
export const uploadOwner = ({ id, ownedSince }: Pick<Session, "id" | "ownedSince">): string =>
  ownedSince === 0 ? id : `${id}.${ownedSince}`;
