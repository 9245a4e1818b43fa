import type { Business } from "../businesses/index.ts";
import type { Checkout } from "./checkout.ts";

/**
 * running: its steps are under way, or a crash left them; unpaid: the order stands, the provider said
 * no or nothing; done: the payment is started; given_up: a rule said no, or another checkout took its
 * place.
 */
export type CheckoutStatus = "running" | "unpaid" | "done" | "given_up";

export type StoredCheckout = Readonly<{
  key: string;
  fingerprint: string;
  status: CheckoutStatus;
  /** Whose shop it is, for an alarm that finishes it without a request. */
  business: Business;
  checkout: Checkout;
  startedAt: number;
}>;

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

type Row = {
  key: string;
  fingerprint: string;
  status: CheckoutStatus;
  business: string;
  checkout: string;
  started_at: number;
};

/** The checkouts of a session, in its own database; at most one is open. */
export function checkoutRepo(sql: SqlStorage) {
  const read = (query: string, ...values: SqlStorageValue[]): StoredCheckout | null => {
    const [row] = sql.exec<Row>(`select * from checkouts where ${query}`, ...values).toArray();
    return row ? fromRow(row) : null;
  };

  return {
    findByKey: (key: string) => read("key = ?", key),
    findByOrder: (orderId: string) => read("checkout ->> '$.plan.orderId' = ?", orderId),
    findOpen: () => read("status in ('running', 'unpaid')"),

    /** Whether an order is known to have been placed from a cart. */
    isOrderedFrom: (cartId: string): boolean =>
      read(
        "checkout ->> '$.request.cartId' = ? and checkout ->> '$.orderNumber' is not null limit 1",
        cartId,
      ) !== null,

    /** The one that is open, and those whose payment was started since an instant. */
    listSince: (since: number): StoredCheckout[] =>
      sql
        .exec<Row>(
          `select * from checkouts where status in ('running', 'unpaid')
            or (status = 'done' and started_at > ?)`,
          since,
        )
        .toArray()
        .map(fromRow),

    save({ key, fingerprint, status, business, checkout, startedAt }: StoredCheckout): void {
      sql.exec(
        `insert into checkouts (key, fingerprint, status, business, checkout, started_at) values (?, ?, ?, ?, ?, ?)
         on conflict (key) do update set status = excluded.status, checkout = excluded.checkout`,
        key,
        fingerprint,
        status,
        JSON.stringify(business),
        JSON.stringify(checkout),
        startedAt,
      );
    },

    /** Forgets what ended before then; an open checkout stays. */
    purge(before: number): void {
      sql.exec(
        "delete from checkouts where started_at <= ? and status not in ('running', 'unpaid')",
        before,
      );
    },
  };
}

export type CheckoutRepo = ReturnType<typeof checkoutRepo>;

function fromRow({ started_at, business, checkout, ...row }: Row): StoredCheckout {
  return { ...row, startedAt: started_at, business: parsed(business), checkout: parsed(checkout) };
}

// Safe: these columns hold nothing but what `save` put there.
const parsed = <T>(json: string): T => JSON.parse(json) as T;
