import type { Actor, Meter, Runtime, Tenant } from "../kernel/index.ts";
import type { Db } from "./client.ts";

/**
 * Everything that a use case may access: its business, its caller and its database, and nothing
 * ambient.
 */
export type Context = Runtime &
  Readonly<{
    requestId: string;
    business: Tenant;
    actor: Actor;
    /** The business's shard, primary copy. */
    db: Db;
    meter: Meter;
    /** Wakes the background Worker to deliver outbox rows; losing the call only delays delivery. */
    wakeOutboxWorker: () => void;
  }>;

/** The SQL storage of a Durable Object; it has no tables before the first write. */
export type ObjectDatabase = Readonly<{ sql: SqlStorage; exist: () => boolean }>;
