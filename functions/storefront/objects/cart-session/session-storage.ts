import {
  type ActivityRepo,
  activityMigrations,
  activityRepo,
} from "../../../../shared/activity/index.ts";
import {
  type CartRepo,
  cartMigrations,
  cartRepo,
  emptyCart,
} from "../../../../shared/cart/index.ts";
import { CheckoutRepo, checkoutMigrations } from "../../../../shared/checkout/index.ts";
import { createIdGenerator, day } from "../../../../shared/kernel/index.ts";
import { type Alarms, createAlarms } from "../../../runtime/objects/alarms.ts";
import { isMigrated, migrate } from "../../../runtime/objects/migrations.ts";
import {
  type StoredResponseRepo,
  storedResponseMigrations,
  storedResponseRepo,
} from "../../../runtime/objects/stored-responses.ts";
import { runtime } from "../../../runtime/runtime.ts";
import { sessionLifetimeMs } from "../../../runtime/session-lifetime.ts";
import { idCreatedAt } from "../../session-id.ts";

/** Append-only as a whole: an object remembers how many of them it has run. */
const migrations = [
  ...cartMigrations,
  ...storedResponseMigrations,
  ...checkoutMigrations,
  ...activityMigrations,
];

/** A use is noted at most this often, so that a read rarely costs a write. */
const useNotedEveryMs = day;

/** How long an unused session is stored: longer than its cookies are valid, plus the noting interval. */
const unusedSessionTtlMs = sessionLifetimeMs + 2 * day;

/**
 * What a session's object stores. The storage is empty before the first write, and again after the
 * session has expired. The alarm `expiry` is set once; its handler asks `expiresAt`.
 */
export class SessionStorage {
  readonly alarms: Alarms<"checkout" | "conversation" | "expiry">;
  readonly activity: ActivityRepo;
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
    if (this.#exists) migrate(storage, migrations);
    this.alarms = createAlarms(storage);
    this.activity = activityRepo(database);
    this.carts = cartRepo(database, () => firstCart(id));
    this.checkouts = new CheckoutRepo(storage.sql);
    this.responses = storedResponseRepo(database);
  }

  /** Whether anything is stored, so that the tables exist. */
  exists(): boolean {
    return this.#exists;
  }

  /** When the session expires unless it is used; null when nothing is stored. */
  expiresAt(): number | null {
    return this.#usedAt === null ? null : this.#usedAt + unusedSessionTtlMs;
  }

  /** Notes that the session is used. */
  markUsed(now: number): void {
    if (!this.#exists) return;
    if (this.#usedAt !== null && now - this.#usedAt < useNotedEveryMs) return;
    this.#usedAt = now;
    this.#storage.kv.put("used_at", now);
    if (this.alarms.dueAt("expiry") === null) {
      this.alarms.set("expiry", now + unusedSessionTtlMs);
    }
  }

  /** Creates the tables before the first write, and notes the use. */
  open(now: number): void {
    if (!this.#exists) migrate(this.#storage, migrations);
    this.#exists = true;
    this.markUsed(now);
  }

  /** Applies a change whole or not at all. When it is undone, the cart is read from storage again. */
  transact(change: () => void): void {
    try {
      this.#storage.transactionSync(change);
    } catch (error) {
      this.carts.clearCache();
      throw error;
    }
  }

  /** Opens the storage and applies a change whole or not at all. */
  write(change: (now: number) => void): void {
    const now = runtime.now();
    this.open(now);
    this.transact(() => change(now));
  }

  /** Deletes everything, the alarm included. */
  async wipe(): Promise<void> {
    this.#exists = false;
    this.#usedAt = null;
    await Promise.all([this.#storage.deleteAlarm(), this.#storage.deleteAll()]);
    this.carts.clearCache();
  }
}

/**
 * The cart before anything is stored. Its id is derived from the object's id, so that every reading
 * returns the same one. It does not reveal the session's id.
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
