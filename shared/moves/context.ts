import type { Db } from "../database/index.ts";
import type { Runtime } from "../kernel/index.ts";

/**
 * What moving a business needs: CORE and access to every shard, because a move writes two shards.
 */
export type MoveContext = Pick<Runtime, "now" | "newId"> &
  Readonly<{
    core: Db;
    /** The names of the shards. */
    shards: readonly string[];
    dbFor: (shard: string) => Db;
  }>;
