import { env, exports } from "cloudflare:workers";
import { vi } from "vitest";
import { givenLogin } from "../../link/given.ts";
import { type Answer, givenBusiness } from "../../support/world.ts";
import { had } from "../foreign-callers.ts";
import { fuzzedPartyOf } from "../fuzz/fuzzed-world.ts";
import type { FuzzedRequest } from "../fuzz/requests.ts";
import { callerOf, type Operation } from "../operations.ts";
import { type Books, differencesOf, readAgain, readBooks, undo } from "./books.ts";
import { type Effects, type Fault, reachedSince, workerWith } from "./effects.ts";
import { type Files, fileKeeper } from "./files.ts";
import { type Objects, readStored, restoreStored, type Stored, tellNow } from "./stored.ts";

/** All that stands anywhere, to go back to. */
export type State = Readonly<{
  books: Books;
  stored: readonly Stored[];
  files: Files;
}>;

export type Asked = Readonly<{ answer: Answer; effects: Effects }>;

const start = Date.parse("2029-12-20T12:00:00Z");

let time = start;

/** The clock stands still but for what is asked: what an isolate remembers it keeps for 5 s at most. */
export function goOn(ms = 0): void {
  time += ms;
  vi.useFakeTimers({ toFake: ["Date"], now: time });
}

/** A business with something of every kind, which can be put back to what it was. */
export async function givenFaultyWorld() {
  goOn();
  const keeper = await fileKeeper();
  const { business, keys } = await givenBusiness();
  await env.CORE.prepare("update businesses set shard = 'SHOP_1' where id = ?")
    .bind(business.id)
    .run();
  const shop = { business: { ...business, shard: "SHOP_1" }, keys };
  const { asks, ids, sessionId, send } = await fuzzedPartyOf(shop);
  const objects: Objects = { sessionId, threadId: ids.thread_id };
  const more = await givenMore();
  const cookie = await cookieOf();

  /** What the customer's browser sends. */
  async function cookieOf(): Promise<string> {
    const asked = { cookie: "" };
    await asks.customer("GET", "/api/v1/auth/status", {
      by(request) {
        asked.cookie = request.headers.get("cookie") ?? "";
        return exports.default.fetch(request);
      },
    });
    return asked.cookie;
  }

  /** Orders of other kinds than the customer's own, and a login that nobody uses. */
  async function givenMore() {
    const ask = asks.guest;
    const cashOrder = async () => {
      const cart = await had(ask("POST", "/api/v1/cart/items", { body: { item_id: ids.cup_id } }));
      const customer = { phone: "+233241000001" };
      const body = { cart_id: cart.id, customer, payment_method: "cash" };
      return had(ask("POST", "/api/v1/checkout", { body }));
    };
    const { order_id, bill_token } = await cashOrder();
    const { refreshToken } = await givenLogin(shop);
    const [paid] = (
      await had(
        asks.merchant("GET", `/v1/businesses/${business.id}/orders?payment_status=captured`),
      )
    ).items;
    return {
      cash_order_id: String(order_id),
      cash_token: String(bill_token),
      paid_order_id: String(paid.id),
      refresh_token: refreshToken,
    };
  }

  /** As it is by now; since an earlier state, only what was reached is read. */
  async function readState(earlier: State | null = null): Promise<State> {
    const reached = reachedSince();
    const [books, stored, files] = await Promise.all([
      earlier ? readAgain(earlier.books, reached.tables) : readBooks(),
      earlier && !reached.objects ? earlier.stored : readStored(objects),
      earlier && !reached.files ? earlier.files : keeper.read(),
    ]);
    return { books, stored, files };
  }

  return {
    readState,

    /** Puts everything back; a later time, and so nobody remembers what was. */
    async restore(before: State, after: State): Promise<void> {
      await undo(await differencesOf(before.books, after.books));
      if (JSON.stringify(before.stored) !== JSON.stringify(after.stored))
        await restoreStored(objects, before.stored);
      await keeper.restore(before.files, after.files);
      reachedSince();
      goOn(6_000);
    },

    /** One request, of whose effects one may go wrong. */
    async ask(
      operation: Operation,
      request: FuzzedRequest,
      { fault = null, key }: Readonly<{ fault?: Fault | null; key: string | null }>,
    ): Promise<Asked> {
      const { by, effects } = workerWith(fault);
      const isCustomers = callerOf(operation) === "customer" && !request.isGuests;
      const headers = {
        ...request.headers,
        ...(key !== null && { "Idempotency-Key": key }),
        ...(isCustomers && { Cookie: cookie }), // a login may have brought another one
      };
      const answer = await send(operation, { ...request, headers }, { ids: more, by });
      return { answer, effects };
    },

    /** Whatever follows by itself has followed. */
    async settle({ path }: Operation): Promise<void> {
      if (!path.includes("/conversation")) return;
      goOn(60_000);
      await tellNow(objects);
    },
  };
}

export type World = Awaited<ReturnType<typeof givenFaultyWorld>>;
