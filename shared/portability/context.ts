import type { Db } from "../database/index.ts";
import type { Runtime } from "../kernel/index.ts";
import type { FileStore } from "../uploads/index.ts";

/** What exports and imports of businesses need: CORE, the shards and the files. */
export type PortabilityContext = Pick<Runtime, "now"> &
  Readonly<{
    core: Db;
    dbFor: (shard: string) => Db;
    files: Pick<FileStore, "put" | "get" | "list" | "delete">;
  }>;
