import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { queueNoticeToEach } from "../../functions/runtime/message-queue.ts";
import { runtime } from "../../functions/runtime/runtime.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createMeter, type Db, openDb } from "../../shared/database/index.ts";
import { second } from "../../shared/kernel/index.ts";
import {
  type ActiveLinkSession,
  type AddContactContext,
  addContact as addVerifiedContact,
  type ContactChangeContext,
  type LinkContact,
  linkSessionRepo,
  removeContact,
} from "../../shared/link/index.ts";
import { codesPerAddress, linkAudience, redeemCodes } from "../../shared/one-time-codes/index.ts";
import { issueAndRead } from "../one-time-codes/create-code.ts";
import { Crash, crashAtEffect } from "../support/faults.ts";
import { listWaitingMessages } from "../support/sealed-messages.ts";
import { type CallOptions, createBusiness, roundTrips } from "../support/world.ts";
import {
  addContact,
  bearerCaller,
  callLink,
  createLogin,
  createLoginContext,
  dataOf,
  type LinkLogin,
  logInLive,
  refusalBody,
  requestLogin,
  storefrontCaller,
  uniqueEmail,
  uniqueNetworkAddress,
  uniquePhone,
} from "./create-logins.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  shop = await createBusiness();
});

afterEach(() => {
  vi.restoreAllMocks();
});

type ListedContact = Readonly<{ id: string; contact: string; contact_type: string }>;

const listContacts = async ({ ask }: Pick<LinkLogin, "ask">): Promise<ListedContact[]> =>
  dataOf(await ask("GET", "/contacts"));

const contactIdOf = async (login: LinkLogin, contact = login.contact): Promise<string> =>
  (await listContacts(login)).find((one) => one.contact === contact)?.id ?? "none";

const requestCode = (contact: string, options: CallOptions = {}) =>
  storefrontCaller(shop)("POST", "/auth/request-otp", { ...options, body: { contact } });

const passResendWait = () => vi.setSystemTime(Date.now() + 31 * second);

type Sent = Readonly<{ contacts: readonly object[]; text: string }>;

/** The context and the session of a live account, whose codes the test knows. */
async function createLiveOwner(sent: Sent[], { isQueueDown = false } = {}) {
  const contact = uniquePhone();
  const { sessionId, account } = await logInLive(contact);
  const login = await createLoginContext();
  const codesWith = (db: Db) => ({
    ...runtime,
    db,
    audience: linkAudience("live"),
    codes: { secret: "codes", perHourPerAddress: codesPerAddress },
  });
  const ctx: ContactChangeContext = {
    ...login,
    accountId: account.id,
    notifyEach: async (contacts, { text }) => {
      if (isQueueDown) throw new Error("The queue is down.");
      sent.push({ contacts, text });
    },
  };

  async function loadSession(): Promise<ActiveLinkSession> {
    const key = { sessionId, accountId: account.id };
    const session = await linkSessionRepo(login.db).findActive(key, Date.now());
    if (!session) throw new Error("The session has ended.");
    return session;
  }

  /** Requests a code, which only the message to the contact contains. */
  async function codeFor(type: "phone" | "email", value: string): Promise<string> {
    const request = { contact: { type, value }, network: crypto.randomUUID() };
    return issueAndRead(codesWith(login.db), request);
  }

  /** Adds an e-mail address, optionally with another database. */
  async function add(email: string, { db }: { db: Db } = login): Promise<LinkContact> {
    const session = await loadSession();
    const contactId = session.contacts[0]?.id ?? "";
    const confirmation = { contactId, code: await codeFor("phone", contact) };
    const code = await codeFor("email", email);
    const redeem: AddContactContext["redeemCodes"] = (proofs) =>
      redeemCodes(codesWith(db), { proofs, network: crypto.randomUUID() });
    return addVerifiedContact(
      { ...ctx, db, redeemCodes: redeem },
      { session, contact: { type: "email", value: email }, code, confirmation },
    );
  }

  return { contact, ctx, login, loadSession, add };
}

describe("GET /contacts", () => {
  it("lists the contacts of the account", async () => {
    const login = await createLogin(shop);
    const email = uniqueEmail();
    await addContact(shop, login, email);
    expect(await login.ask("GET", "/contacts")).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: [
          {
            id: expect.stringMatching(/^con_[0-7][0-9a-f]{25}$/),
            contact: login.contact,
            contact_type: "phone",
            verified_at: expect.stringMatching(/Z$/),
            created_at: expect.stringMatching(/Z$/),
          },
          { contact: email, contact_type: "email" },
        ],
      },
    });
  });
});

describe("POST /contacts", () => {
  it("adds a contact with which the account's owner can log in", async () => {
    const login = await createLogin(shop);
    const email = uniqueEmail();
    const added = await addContact(shop, login, email);
    expect(added).toMatchObject({
      status: 200,
      body: { success: true, data: { contact: email, contact_type: "email" } },
    });
    // the session, the codes, the contact's account, the new contact
    expect(roundTrips(added)).toMatchObject({ d1: 4, do: 0 });
    passResendWait();
    expect((await createLogin(shop, { contact: email })).accountId).toBe(login.accountId);
  });

  it("requires a fresh code to a contact of the account", async () => {
    const login = await createLogin(shop);
    const email = uniqueEmail();
    await requestCode(email);
    const contact_id = await contactIdOf(login);
    const add = (confirmation: object) =>
      login.ask("POST", "/contacts", {
        body: { contact: email, otp_code: "123456", confirmation },
      });
    const invalidCode = {
      status: 422,
      body: refusalBody("BUSINESS_RULE_VIOLATION", { context: { rule: "INVALID_CODE" } }),
    };
    expect(await add({ contact_id, otp_code: "123456" })).toMatchObject(invalidCode); // used to log in
    await requestCode(login.contact);
    expect(await add({ contact_id, otp_code: "000000" })).toMatchObject(invalidCode);
    expect(await add({ contact_id: "con_none", otp_code: "123456" })).toMatchObject({
      status: 404,
      body: refusalBody("NOT_FOUND"),
    });
    expect(await listContacts(login)).toHaveLength(1);
    expect((await add({ contact_id, otp_code: "123456" })).status).toBe(200);
  });

  it("does not accept the new contact, or one of another account, as the confirmation", async () => {
    const victim = await createLogin(shop);
    const attacker = await createLogin(shop);
    passResendWait();
    await requestCode(attacker.contact);
    const email = uniqueEmail();
    await requestCode(email);
    const confirmation = { contact_id: await contactIdOf(attacker), otp_code: "123456" };
    const answer = await victim.ask("POST", "/contacts", {
      body: { contact: email, otp_code: "123456", confirmation },
    });
    expect(answer).toMatchObject({ status: 404, body: refusalBody("NOT_FOUND") });
    expect(await listContacts(victim)).toHaveLength(1);
  });

  it("keeps both codes when one of them is wrong, and counts five wrong attempts", async () => {
    const login = await createLogin(shop);
    const headers = { "CF-Connecting-IP": uniqueNetworkAddress() };
    const email = uniqueEmail();
    const contact_id = await contactIdOf(login);
    await requestCode(email, { headers });
    await requestCode(login.contact, { headers });
    const add = (otp_code: string, confirming = "123456") =>
      login.ask("POST", "/contacts", {
        headers,
        body: { contact: email, otp_code, confirmation: { contact_id, otp_code: confirming } },
      });
    for (let tries = 0; tries < 4; tries += 1) expect((await add("000000")).status).toBe(422);
    expect((await add("123456")).status).toBe(200);

    const other = uniqueEmail();
    passResendWait();
    await requestCode(other, { headers });
    await requestCode(login.contact, { headers });
    const body = (otp_code: string) => ({
      contact: other,
      otp_code: "123456",
      confirmation: { contact_id, otp_code },
    });
    for (let tries = 0; tries < 5; tries += 1)
      await login.ask("POST", "/contacts", { headers, body: body("000000") });
    expect((await login.ask("POST", "/contacts", { headers, body: body("123456") })).status).toBe(
      422,
    );
  });

  it("rejects a contact of another account, and one that the account has", async () => {
    const login = await createLogin(shop);
    const other = await createLogin(shop);
    passResendWait();
    expect(await addContact(shop, login, other.contact)).toMatchObject({
      status: 409,
      body: refusalBody("CONFLICT"),
    });
    passResendWait();
    expect(await addContact(shop, login, login.contact)).toMatchObject({
      status: 400,
      body: refusalBody("VALIDATION_ERROR"),
    });
    expect(await listContacts(login)).toHaveLength(1);
    expect(await listContacts(other)).toHaveLength(1);
  });

  it("rejects an eleventh contact", async () => {
    const login = await createLogin(shop);
    await env.CORE.prepare(
      `with recursive n(value) as (select 1 union all select value + 1 from n where value < 9)
        insert into link_contacts (mode, type, value, account_id, verified_at, created_at)
        select 'test', 'email', ? || value, ?, 1, 1 from n`,
    )
      .bind(login.accountId, login.accountId)
      .run();
    expect(await addContact(shop, login, uniqueEmail())).toMatchObject({
      status: 422,
      body: refusalBody("BUSINESS_RULE_VIOLATION", {
        context: { rule: "CONTACT_LIMIT", limit: 10 },
      }),
    });
  });

  it("returns the first response for a repeated Idempotency-Key", async () => {
    const login = await createLogin(shop);
    const email = uniqueEmail();
    await requestCode(email);
    await requestCode(login.contact);
    const confirmation = { contact_id: await contactIdOf(login), otp_code: "123456" };
    const body = { contact: email, otp_code: "123456", confirmation };
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const first = await login.ask("POST", "/contacts", { body, headers });
    const again = await login.ask("POST", "/contacts", { body, headers });
    expect([first.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });

  it.each(
    [1, 2, 3].flatMap((at) => [
      { at, when: "before" as const },
      { at, when: "after" as const },
    ]),
  )("leaves a contact or none when it crashes $when effect $at", async ({ at, when }) => {
    const { add, loadSession, login, contact } = await createLiveOwner([]);
    const email = uniqueEmail();
    const db = openDb(
      {
        prepare: (query) => env.CORE.prepare(query),
        batch: <T>(all: D1PreparedStatement[]) => crash(() => env.CORE.batch<T>(all)),
      },
      createMeter(),
    );
    const crash = crashAtEffect(at, when);
    await expect(add(email, { db })).rejects.toBeInstanceOf(Crash);
    const isAdded = at === 3 && when === "after";
    expect((await loadSession()).contacts.map(({ value }) => value)).toEqual(
      isAdded ? [contact, email] : [contact],
    );
    if (isAdded) return;
    passResendWait();
    await add(email, { db: login.db });
    expect((await loadSession()).contacts).toHaveLength(2);
  });

  it("adds a contact once with concurrent calls", async () => {
    const login = await createLogin(shop);
    const email = uniqueEmail();
    await requestCode(email);
    await requestCode(login.contact);
    const confirmation = { contact_id: await contactIdOf(login), otp_code: "123456" };
    const body = { contact: email, otp_code: "123456", confirmation };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => login.ask("POST", "/contacts", { body })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // 400 for a call that begins after the contact was added
    for (const { status } of answers) expect([200, 400, 422]).toContain(status);
    expect(await listContacts(login)).toHaveLength(2);
  });
});

describe("a stolen session token", () => {
  it("gives no access beyond its own lifetime", async () => {
    const victim = await createLogin(shop);
    const email = uniqueEmail();
    const attacker = await requestLogin(shop, email, {
      headers: { Authorization: `Bearer ${victim.token}` },
    });
    expect(Object(attacker.body).account_id).not.toBe(victim.accountId);
    await victim.ask("DELETE", "/sessions");
    passResendWait();
    const again = await createLogin(shop, { contact: email });
    expect(again.accountId).not.toBe(victim.accountId);
    expect(dataOf(await again.ask("GET", "/data")).customer.phone).toBeNull();
    passResendWait();
    const owner = await createLogin(shop, { contact: victim.contact });
    expect(await listContacts(owner)).toMatchObject([{ contact: victim.contact }]);
  });
});

describe("DELETE /contacts/{contact_id}", () => {
  it("removes the contact and ends all sessions of the account", async () => {
    const login = await createLogin(shop);
    const email = uniqueEmail();
    await addContact(shop, login, email);
    passResendWait();
    const second = await createLogin(shop, { contact: email });
    const id = await contactIdOf(login, email);
    const removed = await login.ask("DELETE", `/contacts/${id}`);
    expect(removed).toMatchObject({
      status: 200,
      body: { success: true, data: { id, deleted: true } },
    });
    expect(roundTrips(removed)).toMatchObject({ d1: 2, do: 0 });
    for (const token of [login.token, second.token])
      expect((await bearerCaller(token)("GET", "/data")).status).toBe(401);
    for (const refresh_token of [login.refreshToken, second.refreshToken])
      expect((await callLink("POST", "/auth/refresh", { body: { refresh_token } })).status).toBe(
        401,
      );
    passResendWait();
    expect((await createLogin(shop, { contact: email })).accountId).not.toBe(login.accountId);
    passResendWait();
    const owner = await createLogin(shop, { contact: login.contact });
    expect(owner.accountId).toBe(login.accountId);
    expect(await listContacts(owner)).toHaveLength(1);
  });

  it("gives the first contact of an account another account after its removal", async () => {
    const login = await createLogin(shop);
    const email = uniqueEmail();
    await addContact(shop, login, email);
    await login.ask("DELETE", `/contacts/${await contactIdOf(login)}`);
    passResendWait();
    const fresh = await createLogin(shop, { contact: login.contact });
    expect(fresh.accountId).not.toBe(login.accountId);
    expect(fresh.customerId).not.toBe(login.customerId);
    expect((await createLogin(shop, { contact: email })).accountId).toBe(login.accountId);
  });

  it("never removes the last contact, also with concurrent calls", async () => {
    const login = await createLogin(shop);
    const last = {
      status: 422,
      body: refusalBody("BUSINESS_RULE_VIOLATION", { context: { rule: "LAST_CONTACT" } }),
    };
    expect(await login.ask("DELETE", `/contacts/${await contactIdOf(login)}`)).toMatchObject(last);
    expect((await login.ask("GET", "/data")).status).toBe(200);
    const email = uniqueEmail();
    await addContact(shop, login, email);
    const ids = (await listContacts(login)).map(({ id }) => id);
    const answers = await Promise.all(ids.map((id) => login.ask("DELETE", `/contacts/${id}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { results } = await env.CORE.prepare("select id from link_contacts where account_id = ?")
      .bind(login.accountId)
      .all();
    expect(results).toHaveLength(1);
  });

  it("is 404 for a contact of another account and for an unknown one", async () => {
    const login = await createLogin(shop);
    const other = await createLogin(shop);
    for (const id of [await contactIdOf(other), "con_none"]) {
      expect(await login.ask("DELETE", `/contacts/${id}`)).toMatchObject({
        status: 404,
        body: refusalBody("NOT_FOUND"),
      });
    }
    expect(await listContacts(other)).toHaveLength(1);
  });
});

describe("the notice of a changed contact", () => {
  it("goes to the other contacts when one is added and when one is removed", async () => {
    const sent: Sent[] = [];
    const { contact, ctx, loadSession, add } = await createLiveOwner(sent);
    const email = uniqueEmail();
    const { id } = await add(email);
    await removeContact(ctx, await loadSession(), id);
    const contacts = [{ type: "phone", value: contact }];
    expect(sent).toEqual([
      { contacts, text: expect.stringContaining(`${email} is added to your Link account`) },
      { contacts, text: expect.stringContaining(`${email} is removed from your Link account`) },
    ]);
  });

  it("is sent before the contact is added, so that no failure leaves one unannounced", async () => {
    const { loadSession, add } = await createLiveOwner([], { isQueueDown: true });
    await expect(add(uniqueEmail())).rejects.toThrow("The queue is down.");
    expect((await loadSession()).contacts).toHaveLength(1);
  });

  it("is queued for every contact that a provider reaches", async () => {
    const phones = [uniquePhone(), uniquePhone(), uniquePhone()];
    const core = openDb(env.CORE, createMeter());
    const queue = { bindings: env, settings: settingsOf(env), core };
    const contacts = phones.map((value) => ({ type: "phone" as const, value }));
    const notice = { id: crypto.randomUUID(), subject: "Subject", text: "Text", expiresAt: 1 };
    await queueNoticeToEach(queue, { contacts, notice });
    await queueNoticeToEach(queue, { contacts, notice });
    const waiting = await listWaitingMessages();
    const messages = waiting.filter(({ id }) => id.startsWith(notice.id));
    expect(messages).toMatchObject(phones.map((to) => ({ channel: "sms", to, text: "Text" })));
  });
});
