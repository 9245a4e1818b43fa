import type { Db } from "../database/index.ts";
import type { Runtime } from "../kernel/index.ts";

/**
 * Moving a business uses CORE and every shard, because the business has no shard of its own
 * meanwhile.
 */
export type MoveContext = Pick<Runtime, "now" | "newId"> &
  Readonly<{
    core: Db;
    /** The names of the shards. */
    shards: readonly string[];
    dbFor: (shard: string) => Db;
  }>;
