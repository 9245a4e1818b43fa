import type { Db } from "../database/index.ts";
import type { Runtime } from "../kernel/index.ts";

/** What a use case of Link may reach: CORE, primary copy. */
export type LinkContext = Runtime & Readonly<{ db: Db }>;

/** One account's records: the others' are not there. */
export type AccountContext = LinkContext & Readonly<{ accountId: string }>;
