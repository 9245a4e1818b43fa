import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { runtime } from "../../functions/runtime/runtime.ts";
import { type Db, openDb } from "../../shared/database/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";
import {
  accountRepo,
  addressRepo,
  claimDueIntents,
  enroll,
  linkSessionRepo,
  loadSavedData,
  logIn,
  mobileMoneyRepo,
  preferencesRepo,
  purgeLinkSessions,
  refreshSession,
  unassignedOrderRepo,
} from "../../shared/link/index.ts";
import { orderIntentRepo } from "../../shared/link/orders/order-intent-repo.ts";

const contact = { type: "phone", value: "+233241234567" } as const;
const accountId = "acc_none";
const now = Date.now();
const address = {
  id: "addr_none",
  label: null,
  streetAddress: "12 Ring Road",
  apartment: null,
  city: null,
  region: null,
  country: null,
};
const wallet = {
  id: "mm_none",
  phoneNumber: "+233241234567",
  provider: "mtn",
  label: null,
} as const;
const intent = {
  id: "intent",
  orderId: "ord_none",
  businessId: "biz_none",
  contact,
  isByOwner: true,
  address,
  mobileMoney: wallet,
  orderType: null,
} as const;

const accountScope = (db: Db) => ({ db, accountId });
const linkContext = (db: Db) => ({ ...runtime, db });

/** All calls that Link makes to CORE. */
const calls: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  "a login": (db) =>
    logIn(linkContext(db), { contact, mode: "test", holder: null, device: null, country: null }),
  "a refresh": (db) =>
    refreshSession(linkContext(db), { refreshToken: "rfr_none", requestKey: null, secret: "s" }),
  "a session's token": (db) =>
    linkSessionRepo(db).findActive({ sessionId: "ses_none", accountId }, now),
  "the sessions": (db) => linkSessionRepo(db).list(accountId, now),
  "revoking sessions": (db) => linkSessionRepo(db).revoke({ accountId }, now),
  "a contact's status": (db) => accountRepo(db).isEnrolled({ contact, mode: "test" }),
  "an enrolment": (db) =>
    enroll(linkContext(db), { contact, mode: "test", name: null, session: null }),
  "the saved data": (db) => loadSavedData(accountScope(db)),
  "a new address": (db) => addressRepo(accountScope(db)).add(address, now),
  "a new default address": (db) => addressRepo(accountScope(db)).makeDefault("addr_none"),
  "a use of an address": (db) => addressRepo(accountScope(db)).countUse("addr_none", now),
  "removing an address": (db) => addressRepo(accountScope(db)).remove("addr_none"),
  "a new mobile-money account": (db) => mobileMoneyRepo(accountScope(db)).add(wallet, now),
  "removing a mobile-money account": (db) => mobileMoneyRepo(accountScope(db)).remove("mm_none"),
  "the preferences": (db) => preferencesRepo(accountScope(db)).get(),
  "changed preferences": (db) =>
    preferencesRepo(accountScope(db)).update({ defaultAddressId: "addr_none" }, now),
  "an intent": (db) =>
    orderIntentRepo(db).start(intent, { ownerId: accountId, account: noAccount, now }),
  "finishing an intent": (db) =>
    orderIntentRepo(db).finish(
      { ...intent, accountId, isContactVerified: false, notifiedContacts: [] },
      { now, hasCustomer: false },
    ),
  "the unassigned orders that are due": (db) =>
    unassignedOrderRepo(db).claimDue({ now, limit: 20 }),
  "the intents that are due": (db) => claimDueIntents(db, { now, limit: 20 }),
  "the purge": (db) => db.batch(purgeLinkSessions(db, now)),
};

const noAccount = {
  id: accountId,
  mode: "test",
  customerId: "cus_none",
  name: null,
  enrolledAt: null,
  preferredOrderType: null,
  notifyOnOrder: true,
  preferencesUpdatedAt: null,
  createdAt: now,
} as const;

it.each(Object.entries(calls))("%s is served by indexes", async (_name, run) => {
  const statements: [string, unknown[]][] = [];
  const recordingDb = {
    prepare: (query: string) => ({
      bind: (...values: unknown[]) => {
        statements.push([query, values]);
        return env.CORE.prepare(query).bind(...values);
      },
    }),
    batch: () => Promise.reject(new Error("Only planned.")),
  };
  // safe: drizzle calls only prepare, bind and batch, and batch last
  await run(openDb(recordingDb as unknown as D1Database, createMeter())).catch(() => {});
  const plans: string[] = [];
  for (const [query, values] of statements) {
    const { results } = await env.CORE.prepare(`explain query plan ${query}`)
      .bind(...values)
      .all();
    plans.push(...results.map(({ detail }) => String(detail)));
  }
  expect(statements).not.toEqual([]);
  expect(plans.filter((step) => step.startsWith("SCAN ") && step !== "SCAN CONSTANT ROW")).toEqual(
    [],
  );
});
