import {
  type ActivityRepo,
  activityMigrations,
  activityRepo,
} from "../../../../shared/activity/index.ts";
import {
  type CartRepo,
  cartMigrations,
  cartRepo,
  createCartTables,
  emptyCart,
} from "../../../../shared/cart/index.ts";
import { CheckoutRepo, checkoutMigrations } from "../../../../shared/checkout/index.ts";
import { createIdGenerator, day } from "../../../../shared/kernel/index.ts";
import { type Alarms, createAlarms } from "../../../runtime/objects/alarms.ts";
import { isMigrated, migrate, type ObjectSchema } from "../../../runtime/objects/migrations.ts";
import {
  type StoredResponseRepo,
  storedResponseMigrations,
  storedResponseRepo,
} from "../../../runtime/objects/stored-responses.ts";
import { runtime } from "../../../runtime/runtime.ts";
import { sessionLifetimeMs } from "../../../runtime/session-lifetime.ts";
import { idCreatedAt } from "../../session-id.ts";
import { type AgentRecordRepo, agentRecordRepo } from "./agents/agent-record.ts";

/** The tables of a session's object. The areas whose tables never changed create them as at first. */
export const sessionSchema: ObjectSchema = {
  migrations: [
    ...cartMigrations,
    ...storedResponseMigrations,
    ...checkoutMigrations,
    ...activityMigrations,
  ],
  create: [
    createCartTables,
    ...storedResponseMigrations,
    ...checkoutMigrations,
    ...activityMigrations,
  ].join("\n"),
};

/** The values that only say how the object is stored, and when it is due. */
const valuesWithoutContent: ReadonlySet<string> = new Set([
  "migrations",
  "due",
  "used_at",
  "checkout_started_at",
]);

/** A use of the session is stored at most once in this time, so that few reads cause a write. */
const useNotedEveryMs = day;

/**
 * How long an unused session is stored. Longer than its cookies are valid, because the last use may
 * be stored a day late.
 */
const unusedSessionTtlMs = sessionLifetimeMs + 2 * day;

/**
 * The storage of a session's object. Empty before the first write and after the session has
 * expired. The alarm `expiry` is not moved at every use: its handler checks `expiresAt`.
 */
export class SessionStorage {
  readonly alarms: Alarms<"checkout" | "conversation" | "expiry" | "reopening">;
  readonly activity: ActivityRepo;
  readonly agents: AgentRecordRepo;
  readonly carts: CartRepo;
  readonly checkouts: CheckoutRepo;
  readonly responses: StoredResponseRepo;
  readonly #storage: DurableObjectStorage;
  #exists: boolean;
  #usedAt: number | null;

  constructor({ id, storage }: DurableObjectState) {
    const database = { sql: storage.sql, exist: () => this.#exists };
    this.#storage = storage;
    this.#exists = isMigrated(storage);
    this.#usedAt = storage.kv.get<number>("used_at") ?? null;
    if (this.#exists) migrate(storage, sessionSchema);
    this.alarms = createAlarms(storage);
    this.activity = activityRepo(database);
    this.agents = agentRecordRepo(storage);
    this.carts = cartRepo(database, () => firstCart(id));
    this.checkouts = new CheckoutRepo(storage.sql);
    this.responses = storedResponseRepo(database);
  }

  /** Whether the object stores anything. Only then its tables exist. */
  exists(): boolean {
    return this.#exists;
  }

  /** When the session expires if nobody uses it. Null when nothing is stored. */
  expiresAt(): number | null {
    return this.#usedAt === null ? null : this.#usedAt + unusedSessionTtlMs;
  }

  /** Stores that the session is in use, at most once a day. */
  markUsed(now: number): void {
    if (!this.#exists) return;
    if (this.#usedAt !== null && now - this.#usedAt < useNotedEveryMs) return;
    this.#usedAt = now;
    this.#storage.kv.put("used_at", now);
    if (this.alarms.dueAt("expiry") === null) {
      this.alarms.set("expiry", now + unusedSessionTtlMs);
    }
  }

  /** Whether the lines of an order are going back into the cart, which must not change meanwhile. */
  isReopening(): boolean {
    return this.#exists && this.#storage.kv.get("reopening") !== undefined;
  }

  /** When the open checkout was last started or retried after it had failed. */
  checkoutStartedAt(): number | null {
    return this.#storage.kv.get<number>("checkout_started_at") ?? null;
  }

  markCheckoutStarted(now: number): void {
    this.#storage.kv.put("checkout_started_at", now);
  }

  /** Creates the tables before the first write, and stores that the session is in use. */
  open(now: number): void {
    if (!this.#exists) migrate(this.#storage, sessionSchema);
    this.#exists = true;
    this.markUsed(now);
  }

  /** Applies a change in one transaction. After a rollback what was cached is discarded. */
  transact(change: () => void): void {
    try {
      this.#storage.transactionSync(change);
    } catch (error) {
      this.agents.clearCache();
      this.carts.clearCache();
      this.checkouts.clearCache();
      throw error;
    }
  }

  /** Creates the tables if needed, and applies a change in one transaction. */
  write(change: (now: number) => void): void {
    const now = runtime.now();
    this.open(now);
    this.transact(() => change(now));
  }

  /**
   * When the object holds nothing any more, if it holds nothing but stored responses: a session
   * whose only writes were refused. Null when it holds anything else.
   */
  emptyAt(): number | null {
    if (!this.#exists || this.#holdsContent()) return null;
    return this.responses.expireAt();
  }

  /** Lets a session that holds only stored responses expire with them. */
  expireIfEmpty(): void {
    const emptyAt = this.emptyAt();
    if (emptyAt !== null) this.alarms.set("expiry", emptyAt);
  }

  #holdsContent(): boolean {
    const values = [...this.#storage.kv.list()].map(([name]) => name);
    if (values.some((name) => !valuesWithoutContent.has(name))) return true;
    const tables = this.#storage.sql
      .exec<{ name: string }>(
        `select name from sqlite_master where type = 'table' and name <> 'answers'
           and name not glob 'sqlite_*' and name not glob '_cf_*'`,
      )
      .toArray();
    return tables.some(
      ({ name }) => this.#storage.sql.exec(`select 1 from ${name} limit 1`).toArray().length > 0,
    );
  }

  /** Deletes everything that the object stores, including its alarm. */
  async wipe(): Promise<void> {
    this.#exists = false;
    this.#usedAt = null;
    await Promise.all([this.#storage.deleteAlarm(), this.#storage.deleteAll()]);
    this.agents.clearCache();
    this.carts.clearCache();
    this.checkouts.clearCache();
  }
}

/**
 * The cart of a session that stores nothing yet. The cart's id is derived from the object's id, so
 * every read returns the same one. The session's id cannot be computed from it.
 */
function firstCart(object: DurableObjectId) {
  const createdAt = idCreatedAt(object.name ?? "");
  const derived = Uint8Array.from(object.toString().match(/../g) ?? [], (hex) =>
    Number.parseInt(hex, 16),
  );
  const newId = createIdGenerator(
    () => createdAt,
    (bytes) => bytes.set(derived.subarray(0, bytes.length)),
  );
  return emptyCart(newId("cart"), createdAt);
}
