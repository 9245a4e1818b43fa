import type { Actor, Meter, Runtime, Tenant } from "../kernel/index.ts";
import type { Db } from "./client.ts";

/** What a use case may reach: its business, its caller, its database, and nothing ambient. */
export type Context = Runtime &
  Readonly<{
    requestId: string;
    business: Tenant;
    actor: Actor;
    /** The business's shard, primary copy. */
    db: Db;
    meter: Meter;
    /** Tells the background Worker that this business has events waiting; losing it delays, no more. */
    announce: () => void;
  }>;
