/**
 * Where a session is kept between visits, as text. `localStorage` serves in a browser:
 * `{ load: () => localStorage.getItem("duka"), save: (text) => localStorage.setItem("duka", text) }`.
 */
export type SessionStore = Readonly<{
  /** Runs before each call that needs the session, because another tab may have saved since. */
  load: () => string | null | undefined | Promise<string | null | undefined>;
  save: (session: string) => unknown;
}>;

/** How many guest orders keep their bill token. */
const maxOrders = 20;

/** A shopper's session: its token, and the bill tokens of the orders that it placed as a guest. */
export type Session = Readonly<{
  /** The token. Starts a session when there is none. */
  requireToken: () => Promise<string>;
  /**
   * Keeps the token of an answer. `sent` is the token of its call: when the session has another one
   * since, because of a login for example, the answer's token is none of this session.
   */
  keepToken: (token: string | null, sent?: string) => Promise<void>;
  keepBillToken: (orderId: string, token: string) => Promise<void>;
  billTokenOf: (orderId: string) => Promise<string | undefined>;
}>;

const pairOf = ([orderId = "", billToken = ""]: string[]) => [orderId, billToken] as const;

/**
 * The stored text is the token, followed by the guest's orders with their tokens:
 * `token ord_1=bt_1 ord_2=bt_2`.
 */
export function createSession(
  store: SessionStore | undefined,
  startSession: () => Promise<string>,
): Session {
  let token: string | undefined;
  let billTokens = new Map<string, string>();
  let loaded: string | undefined;
  let starting: Promise<string> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** Runs a task after those before it, so that no stored text is read between a change and its save. */
  const inTurn = <T>(task: () => Promise<T> | T): Promise<T> => {
    const result = last.then(async () => {
      await load();
      return task();
    });
    last = result.catch(() => undefined);
    return result;
  };

  /** Takes over what another tab has saved. A store that keeps answering the same changes nothing. */
  const load = async () => {
    const text = await store?.load();
    if (!text || text === loaded) return;
    loaded = text;
    const [stored, ...orders] = text.split(" ");
    token = stored || token;
    billTokens = new Map(orders.map((order) => pairOf(order.split("="))));
  };

  const save = async () => {
    const orders = [...billTokens].slice(-maxOrders).map((entry) => entry.join("="));
    await store?.save([token, ...orders].join(" "));
  };

  const start = async () => {
    const started = await startSession();
    return inTurn(async () => {
      if (token) return token; // another tab was faster
      token = started;
      await save();
      return started;
    });
  };

  return {
    async requireToken() {
      const known = await inTurn(() => token);
      if (known) return known;
      starting ??= start().finally(() => {
        starting = undefined;
      });
      return starting;
    },
    async keepToken(value, sent) {
      if (!value) return;
      await inTurn(async () => {
        if (value === token || (sent && sent !== token)) return;
        token = value;
        await save();
      });
    },
    keepBillToken: (orderId, billToken) =>
      inTurn(async () => {
        billTokens.set(orderId, billToken);
        await save();
      }),
    billTokenOf: (orderId) => inTurn(() => billTokens.get(orderId)),
  };
}
