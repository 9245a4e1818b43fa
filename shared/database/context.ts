import type { Actor, Runtime, Tenant } from "../kernel/index.ts";
import type { Db, Meter } from "./client.ts";

/**
 * Everything that a use case may access: its business, its caller, its database and the runtime.
 * Use cases access nothing global.
 */
export type Context = Runtime &
  Readonly<{
    requestId: string;
    business: Tenant;
    actor: Actor;
    /** The primary copy of the business's shard. */
    db: Db;
    meter: Meter;
    /**
     * Wakes the background Worker, which sends webhooks from the outbox. When the call is lost,
     * webhooks are only delayed.
     */
    wakeOutboxWorker: () => void;
  }>;

/** The SQL storage of a Durable Object. It has no tables before the first write. */
export type ObjectDatabase = Readonly<{ sql: SqlStorage; exist: () => boolean }>;
