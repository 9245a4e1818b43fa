import { env, exports } from "cloudflare:workers";
import { vi } from "vitest";
import { createBackground } from "../../../functions/background/context.ts";
import { settleRefunds } from "../../../functions/background/jobs/settle-refunds.ts";
import { createLogin } from "../../link/create-logins.ts";
import { type ApiResponse, createBusiness } from "../../support/world.ts";
import { requireData } from "../api-clients.ts";
import { deliveredBy } from "../create-business-records.ts";
import { createFuzzShop } from "../fuzz/create-fuzz-client.ts";
import { type FuzzedRequest, withIds } from "../fuzz/requests.ts";
import { callerOf, type Operation } from "../operations.ts";
import {
  type AllRows,
  findRowChanges,
  readAllRows,
  readChangedTables,
  revertRowChanges,
} from "./database-rows.ts";
import { createFaultyWorker, type Effects, type Fault, takeTouchedStores } from "./effects.ts";
import {
  type ObjectStorage,
  readObjectStorage,
  restoreObjectStorage,
  type ShopperObjects,
  syncConversationList,
} from "./object-storage.ts";
import { createFileSnapshots, type StoredFiles } from "./stored-files.ts";

/** All stored data, to be restored. */
export type ShopState = Readonly<{
  books: AllRows;
  stored: readonly ObjectStorage[];
  files: StoredFiles;
}>;

export type ObservedCall = Readonly<{ answer: ApiResponse; effects: Effects }>;

const start = Date.parse("2029-12-20T12:00:00Z");

let time = start;

/** Advances the clock and holds it; isolates cache data for 5 s at most. */
export function advanceClock(ms = 0): void {
  time += ms;
  vi.useFakeTimers({ toFake: ["Date"], now: time });
}

/** Creates a business with records of every kind that can be restored to an earlier state. */
export async function createFaultWorld() {
  advanceClock();
  const keeper = await createFileSnapshots();
  const { business, keys } = await createBusiness();
  await env.CORE.prepare("update businesses set shard = 'SHOP_1' where id = ?")
    .bind(business.id)
    .run();
  const shop = { business: { ...business, shard: "SHOP_1" }, keys };
  const { asks, ids, sessionId, send } = await createFuzzShop(shop);
  const objects: ShopperObjects = { sessionId, threadId: ids.thread_id };
  const more = await createMoreRecords();
  const cookie = await readCookie();
  await syncConversationList(objects); // otherwise a timer does so while an operation is tested
  let restoreCount = 0;

  /** A call and its repeats come from one network, because a login makes its network known. */
  const clientAddress = () => `10.8.${restoreCount >> 8}.${restoreCount & 255}`;

  /** Reads the cookie of the customer's browser. */
  async function readCookie(): Promise<string> {
    const received = { cookie: "" };
    await asks.customer("GET", "/api/v1/auth/status", {
      fetch(request) {
        received.cookie = request.headers.get("cookie") ?? "";
        return exports.default.fetch(request);
      },
    });
    return received.cookie;
  }

  /** Creates a cash order, finds a paid one, and logs in to Link once more. */
  async function createMoreRecords() {
    const ask = asks.guest;
    const cashOrder = async () => {
      const cart = await requireData(
        ask("POST", "/api/v1/cart/items", { body: { item_id: ids.cup_id } }),
      );
      const customer = { phone: "+233241000001" };
      const payment = { customer, payment_method: "cash" };
      const body = { cart_id: cart.id, ...payment, ...deliveredBy(ids.method_id) };
      return requireData(ask("POST", "/api/v1/checkout", { body }));
    };
    const { order_id, bill_token } = await cashOrder();
    const { refreshToken } = await createLogin(shop);
    const [paid] = (
      await requireData(
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

  /** Reads the current state; given an earlier one, only what was used since. */
  async function readState(earlier: ShopState | null = null): Promise<ShopState> {
    const reached = takeTouchedStores();
    const [books, stored, files] = await Promise.all([
      earlier ? readChangedTables(earlier.books, reached.tables) : readAllRows(),
      earlier && !reached.objects ? earlier.stored : readObjectStorage(objects),
      earlier && !reached.files ? earlier.files : keeper.read(),
    ]);
    return { books, stored, files };
  }

  return {
    readState,

    /** The request as it is sent, with the ids of its records. */
    withIds: (request: FuzzedRequest) => withIds(request, { ...ids, ...more }),

    /** Restores an earlier state and advances the clock past all caches. */
    async restore(before: ShopState, after: ShopState): Promise<void> {
      await revertRowChanges(await findRowChanges(before.books, after.books));
      if (JSON.stringify(before.stored) !== JSON.stringify(after.stored))
        await restoreObjectStorage(objects, before.stored);
      await keeper.restore(before.files, after.files);
      takeTouchedStores();
      restoreCount += 1;
      advanceClock(6_000);
    },

    /** Sends a request; one of its effects may fail. */
    async ask(
      operation: Operation,
      request: FuzzedRequest,
      { fault = null, key }: Readonly<{ fault?: Fault | null; key: string | null }>,
    ): Promise<ObservedCall> {
      const { by, effects } = createFaultyWorker(fault);
      const isCustomers = callerOf(operation) === "customer" && !request.isGuest;
      const headers = {
        "CF-Connecting-IP": clientAddress(),
        ...request.headers,
        ...(key !== null && { "Idempotency-Key": key }),
        ...(isCustomers && { Cookie: cookie }), // an earlier login may have changed it
      };
      const answer = await send(operation, { ...request, headers }, { extraIds: more, fetch: by });
      return { answer, effects };
    },

    /** Runs the work that a call leaves to an alarm or to cron. */
    async settle({ path }: Operation): Promise<void> {
      if (path.endsWith("/refunds")) {
        advanceClock(60_000);
        await settleRefunds(createBackground(env), "SHOP_1");
      }
      if (path.includes("/conversation")) {
        advanceClock(60_000);
        await syncConversationList(objects);
      }
    },
  };
}

export type FaultWorld = Awaited<ReturnType<typeof createFaultWorld>>;
