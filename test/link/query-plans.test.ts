import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { runtime } from "../../functions/runtime/runtime.ts";
import { createMeter, type Db, openDb } from "../../shared/database/index.ts";
import { contactRepo } from "../../shared/link/contacts/contact-repo.ts";
import {
  addressRepo,
  claimDueIntents,
  confirmPendingDetails,
  enroll,
  isEnrolled,
  linkSessionRepo,
  loadSavedData,
  logIn,
  mobileMoneyRepo,
  pendingDetailsRepo,
  platformGrantRepo,
  preferencesRepo,
  purgeLinkSessions,
  purgePendingDetails,
  refreshSession,
  requestEnrolment,
  unassignedOrderRepo,
} from "../../shared/link/index.ts";
import { orderIntentRepo } from "../../shared/link/orders/order-intent-repo.ts";
import { insertPendingDetails } from "../../shared/link/pending/pending-details-repo.ts";

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
  accountId,
  address,
  mobileMoney: wallet,
  orderType: null,
} as const;

const shop = { id: "biz_none", name: "None" };
const waiting = {
  id: "pend_none",
  contact,
  mode: "test",
  orderId: "ord_none",
  business: shop,
  name: null,
  address,
  mobileMoney: wallet,
  orderType: null,
  now,
} as const;

const accountScope = (db: Db) => ({ db, accountId });
const linkContext = (db: Db) => ({ ...runtime, db, accountIdSecret: "s" });
const accountContext = (db: Db) => ({ ...runtime, db, accountId });

/** All calls that Link makes to CORE. */
const calls: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  "a login": (db) => logIn(linkContext(db), { contact, mode: "test", device: null, country: null }),
  "a refresh": (db) =>
    refreshSession(linkContext(db), { refreshToken: "rfr_none", requestKey: null, secret: "s" }),
  "a session's token": (db) =>
    linkSessionRepo(db).findActive({ sessionId: "ses_none", accountId }, now),
  "the sessions": (db) => linkSessionRepo(db).list(accountId, now),
  "revoking a session": (db) =>
    linkSessionRepo(db).revoke({ accountId, sessionId: "ses_none" }, now),
  "revoking all sessions": (db) => linkSessionRepo(db).revokeAll(accountId, now),
  "the linked platforms": (db) => platformGrantRepo(db).listPlatforms(accountId, now),
  "disconnecting a platform": (db) =>
    platformGrantRepo(db).disconnectPlatform({ accountId, grantId: "plg_none" }, now),
  "a contact's status": (db) => isEnrolled({ db }, { contact, mode: "test" }),
  "an enrolment": (db) => enroll(accountContext(db), { name: "Ama" }),
  "an enrolment without a session": (db) =>
    requestEnrolment(linkContext(db), {
      contact,
      mode: "test",
      business: shop,
      name: "Ama",
    }),
  "an order without a session": (db) =>
    db.batch([
      unassignedOrderRepo(db).insert({ ...waiting, isOwned: true }),
      insertPendingDetails(db, waiting),
    ]),
  "the details that wait": (db) => pendingDetailsRepo(accountContext(db)).list(),
  "discarding details": (db) => pendingDetailsRepo(accountContext(db)).discard("pend_none"),
  "saving details": (db) => confirmPendingDetails(accountContext(db), "pend_none"),
  "the owner of a contact": (db) =>
    contactRepo(accountContext(db)).findOwner({ contact, mode: "test" }),
  "a new contact": (db) => contactRepo(accountContext(db)).add({ contact, mode: "test" }),
  "removing a contact": (db) => contactRepo(accountContext(db)).remove("con_none"),
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
  "an intent": (db) => orderIntentRepo(db).start(intent, now),
  "finishing an intent": (db) =>
    orderIntentRepo(db).finish({ ...intent, isContactVerified: false, notifiedContacts: [] }, now),
  "the unassigned orders that are due": (db) =>
    unassignedOrderRepo(db).claimDue({ now, limit: 20 }),
  "the intents that are due": (db) => claimDueIntents(db, { now, limit: 20 }),
  "the purge": (db) => db.batch([...purgeLinkSessions(db, now), purgePendingDetails(db, now)]),
};

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
