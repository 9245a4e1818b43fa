/**
 * Where a session is kept between visits, as text. `localStorage` serves in a browser:
 * `{ load: () => localStorage.getItem("duka"), save: (text) => localStorage.setItem("duka", text) }`.
 */
export type SessionStore = Readonly<{
  load: () => string | null | undefined | Promise<string | null | undefined>;
  save: (session: string) => unknown;
}>;

/** How many guest orders keep their bill token. */
const maxOrders = 20;

/** A shopper's session: its token, and the bill tokens of the orders that it placed as a guest. */
export type Session = Readonly<{
  /** The token. Starts a session when there is none. */
  requireToken: () => Promise<string>;
  keepToken: (token: string | null) => Promise<void>;
  keepBillToken: (orderId: string, token: string) => Promise<void>;
  billTokenOf: (orderId: string) => Promise<string | undefined>;
}>;

/**
 * The stored text is the token, followed by the guest's orders with their tokens:
 * `token ord_1=bt_1 ord_2=bt_2`.
 */
export function createSession(
  store: SessionStore | undefined,
  startSession: () => Promise<string>,
): Session {
  let token: string | undefined;
  const billTokens = new Map<string, string>();
  let loading: Promise<void> | undefined;
  let starting: Promise<string> | undefined;

  const load = () => {
    loading ??= (async () => {
      const [stored, ...orders] = ((await store?.load()) ?? "").split(" ");
      token ||= stored;
      for (const [orderId = "", billToken = ""] of orders.map((text) => text.split("="))) {
        billTokens.set(orderId, billToken);
      }
    })();
    return loading;
  };

  const save = async () => {
    const orders = [...billTokens].slice(-maxOrders).map((entry) => entry.join("="));
    await store?.save([token, ...orders].join(" "));
  };

  const keepToken = async (value: string | null) => {
    if (!value || value === token) return;
    await load();
    token = value;
    await save();
  };

  return {
    keepToken,
    async requireToken() {
      await load();
      if (token) return token;
      starting ??= startSession()
        .then(async (started) => {
          await keepToken(started);
          return started;
        })
        .finally(() => {
          starting = undefined;
        });
      return starting;
    },
    async keepBillToken(orderId, billToken) {
      await load();
      billTokens.set(orderId, billToken);
      await save();
    },
    async billTokenOf(orderId) {
      await load();
      return billTokens.get(orderId);
    },
  };
}
