import type { Checkout, CompletedCheckout } from "./checkout.ts";

type StoredFields = Readonly<{
  /** The Idempotency-Key of the checkout's request. */
  key: string;
  fingerprint: string;
  /**
   * The business. A Durable Object alarm resumes the checkout without a request, so its id is stored
   * here; the rest is read again, because a row of an object has at most 2 MB.
   */
  business: Readonly<{ id: string }>;
  startedAt: number;
}>;

/**
 * A checkout that is not finished; a session has at most one. running: the steps run, or a crash
 * interrupted them; the cart cannot change. unpaid: the payment has not started, and no step runs.
 */
export type OpenCheckout = StoredFields &
  Readonly<{ status: "running" | "unpaid"; checkout: Checkout }>;

/**
 * A checkout as the session stores it. abandoned: it was refused, or another checkout replaced it.
 * completed: its payment has started, its response is stored, and the session has a new cart.
 */
export type StoredCheckout =
  | OpenCheckout
  | (StoredFields & Readonly<{ status: "abandoned"; checkout: Checkout }>)
  | (StoredFields & Readonly<{ status: "completed"; checkout: CompletedCheckout }>);

export const isOpen = (stored: StoredCheckout): stored is OpenCheckout =>
  stored.status === "running" || stored.status === "unpaid";

/** The migrations of the tables in the session's Durable Object. */
export const checkoutMigrations: readonly string[] = [
  `create table checkouts (
     key text primary key,
     fingerprint text not null,
     status text not null,
     business text not null,
     checkout text not null,
     started_at integer not null
   );
   create unique index checkouts_one_open on checkouts (1) where status in ('running', 'unpaid');`,
];

type CheckoutRow = {
  key: string;
  fingerprint: string;
  status: StoredCheckout["status"];
  business: string;
  checkout: string;
  started_at: number;
};

/** The checkouts of one session. The Durable Object is the only writer. */
export class CheckoutRepo {
  readonly #sql: SqlStorage;
  /**
   * Whether the table has any rows; null before it was read. Most sessions never check out, and
   * every write of their carts looks for an open checkout.
   */
  #isAnyStored: boolean | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  findByKey(key: string): StoredCheckout | null {
    return this.#findWhere("key = ?", key);
  }

  findByOrder(orderId: string): StoredCheckout | null {
    return this.#findWhere("checkout ->> '$.plan.orderId' = ?", orderId);
  }

  findOpen(): OpenCheckout | null {
    const stored = this.#findWhere("status in ('running', 'unpaid')");
    return stored && isOpen(stored) ? stored : null;
  }

  /** Whether a checkout of this session has placed an order from the cart. */
  isOrderedFrom(cartId: string): boolean {
    const placed =
      "checkout ->> '$.request.cartId' = ? and checkout ->> '$.orderNumber' is not null limit 1";
    return this.#findWhere(placed, cartId) !== null;
  }

  /** The newest checkout that placed an order from the cart, without the excepted orders. */
  findPlacedFrom(
    cartId: string,
    {
      statuses,
      exceptOrderIds,
    }: Readonly<{
      statuses: readonly StoredCheckout["status"][];
      exceptOrderIds: readonly string[];
    }>,
  ): StoredCheckout | null {
    return this.#findWhere(
      `checkout ->> '$.request.cartId' = ? and checkout ->> '$.orderNumber' is not null
         and status in (select value from json_each(?))
         and checkout ->> '$.plan.orderId' not in (select value from json_each(?))
       order by started_at desc, rowid desc limit 1`,
      cartId,
      JSON.stringify(statuses),
      JSON.stringify(exceptOrderIds),
    );
  }

  /** The open checkout, and the completed checkouts that were started after the given time. */
  listOpenAndCompleted(startedAfter: number): StoredCheckout[] {
    return this.#sql
      .exec<CheckoutRow>(
        `select * from checkouts where status in ('running', 'unpaid')
          or (status = 'completed' and started_at > ?)`,
        startedAfter,
      )
      .toArray()
      .map(toStoredCheckout);
  }

  save({ key, fingerprint, status, business, checkout, startedAt }: StoredCheckout): void {
    this.#sql.exec(
      `insert into checkouts (key, fingerprint, status, business, checkout, started_at) values (?, ?, ?, ?, ?, ?)
       on conflict (key) do update set status = excluded.status, checkout = excluded.checkout`,
      key,
      fingerprint,
      status,
      JSON.stringify({ id: business.id }),
      JSON.stringify(checkout),
      startedAt,
    );
    this.#isAnyStored = true;
  }

  /** Deletes checkouts that were started at or before the given time, except the open one. */
  deleteClosed(startedUntil: number): void {
    if (!this.#hasStored()) return;
    this.#sql.exec(
      "delete from checkouts where started_at <= ? and status not in ('running', 'unpaid')",
      startedUntil,
    );
  }

  /** After a rollback, and when the object's storage was deleted. */
  clearCache(): void {
    this.#isAnyStored = null;
  }

  #hasStored(): boolean {
    this.#isAnyStored ??= this.#sql.exec("select 1 from checkouts limit 1").toArray().length > 0;
    return this.#isAnyStored;
  }

  #findWhere(condition: string, ...values: SqlStorageValue[]): StoredCheckout | null {
    if (!this.#hasStored()) return null;
    const [row] = this.#sql
      .exec<CheckoutRow>(`select * from checkouts where ${condition}`, ...values)
      .toArray();
    return row ? toStoredCheckout(row) : null;
  }
}

function toStoredCheckout({ started_at, business, checkout, ...row }: CheckoutRow): StoredCheckout {
  const stored = { ...row, business: parseColumn(business), checkout: parseColumn(checkout) };
  return { ...stored, startedAt: started_at } as StoredCheckout; // safe: only `save` writes rows
}

const parseColumn = (json: string): unknown => JSON.parse(json);
