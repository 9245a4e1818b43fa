import type { Db } from "../database/index.ts";
import type { Runtime } from "../kernel/index.ts";

/** The context of Link's use cases; `db` is CORE's primary copy. */
export type LinkContext = Runtime & Readonly<{ db: Db }>;

/** The context of one account. */
export type AccountContext = LinkContext & Readonly<{ accountId: string }>;

/** The context of logins and of enrolments without one. */
export type LoginContext = LinkContext &
  Readonly<{
    /** The secret from which the ids of new accounts are computed. */
    accountIdSecret: string;
  }>;
