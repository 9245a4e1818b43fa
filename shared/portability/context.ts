import type { Db } from "../database/index.ts";
import type { Runtime } from "../kernel/index.ts";
import type { SupportMessage } from "../support/index.ts";
import type { FileStore } from "../uploads/index.ts";

/** What exports and imports of businesses need: CORE, the shards, the files and the conversations. */
export type PortabilityContext = Pick<Runtime, "now"> &
  Readonly<{
    core: Db;
    dbFor: (shard: string) => Db;
    files: Pick<FileStore, "put" | "get" | "list" | "delete">;
    /**
     * Reads the first messages of a support conversation after a time (epoch milliseconds), oldest
     * first; none of a conversation that does not exist any more.
     */
    readMessages: (
      conversation: Readonly<{ id: string; businessId: string }>,
      range: Readonly<{ after: number; limit: number }>,
    ) => Promise<readonly SupportMessage[]>;
  }>;
