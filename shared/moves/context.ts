import type { Db } from "../database/index.ts";
import type { Runtime } from "../kernel/index.ts";

/** What moves a business: CORE and every shard, since no shard is the business's own meanwhile. */
export type MoveContext = Pick<Runtime, "now" | "newId"> &
  Readonly<{
    core: Db;
    /** The names of the shop databases. */
    shards: readonly string[];
    dbIn: (shard: string) => Db;
  }>;
