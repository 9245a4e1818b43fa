import { env } from "cloudflare:workers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { settingsOf } from "../../functions/runtime/settings.ts";
import { day, hour, minute } from "../../shared/kernel/index.ts";
import { withBindings } from "../support/bindings.ts";
import { consoleClient, cookieOf, createMember, logInAt } from "../support/console.ts";
import { findWaitingMessage } from "../support/sealed-messages.ts";
import {
  type ApiResponse,
  call,
  createBusiness,
  dataOf,
  operator,
  roundTrips,
} from "../support/world.ts";

const requestPath = "/v1/console/auth/request-otp";
const verifyPath = "/v1/console/auth/verify-otp";
const mePath = "/v1/console/me";

const sessionRows = (userId: string) =>
  env.CORE.prepare("select count(*) as count from console_sessions where user_id = ?")
    .bind(userId)
    .first<number>("count");

const facts = ({ status, body }: ApiResponse) => ({ status, code: Object(body).error?.code });

describe("a login by code", () => {
  it("sets a cookie that only this host can set and no script can read", async () => {
    const response = await logInAt("ama-cookie@example.com");
    expect(response.status).toBe(200);
    expect(response.headers.get("set-cookie")).toMatch(
      /^__Host-console=[0-9a-f]{40}; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict$/,
    );
    const me = await consoleClient(cookieOf(response) ?? "")("GET", mePath);
    expect(dataOf(me)).toMatchObject({
      user: { email: "ama-cookie@example.com", name: null, is_operator: false },
      memberships: [],
    });
    expect(roundTrips(me)).toMatchObject({ d1: 2 });
    const [stored] = (await env.CORE.prepare("select * from console_sessions").all()).results;
    expect(JSON.stringify(stored)).not.toContain(cookieOf(response)?.split("=")[1]);
  });

  it("answers known and unknown addresses alike", async () => {
    const { email } = await createMember(await createBusiness(), "owner");
    const ask = (contact: string) => call("POST", requestPath, { body: { contact } });
    const [known, unknown] = [await ask(email), await ask("nobody@example.com")];
    expect(known.status).toBe(200);
    expect(unknown.body).toEqual(known.body);
    expect(roundTrips(unknown).d1).toBe(roundTrips(known).d1);
    const guess = (contact: string) =>
      call("POST", verifyPath, { body: { contact, otp_code: "000000" } });
    const [wrongKnown, wrongUnknown] = [await guess(email), await guess("nobody@example.com")];
    expect(wrongKnown.status).toBe(401);
    expect(wrongUnknown.body).toEqual(wrongKnown.body);
  });

  it("sends random codes unless the deployment is for development", async () => {
    const fetch = withBindings({ ...env, CONSOLE_TEST_CODES: "false" });
    const contact = "live@example.com";
    expect(await call("POST", requestPath, { body: { contact }, fetch })).toMatchObject({
      status: 200,
    });
    const message = await findWaitingMessage(contact);
    if (message?.type !== "code") throw new Error("No code waits to be sent.");
    expect(message).toMatchObject({ channel: "email", sender: "Duka" });
    const { code } = message;
    const verify = (otp_code: string) =>
      call("POST", verifyPath, { body: { contact, otp_code }, fetch });
    if (code !== "123456") expect((await verify("123456")).status).toBe(401);
    expect((await verify(code)).status).toBe(200);
    expect((await verify(code)).status, "a code works once").toBe(401);
  });

  it("does not start with test codes in a deployment", () => {
    const production = { ...env, SMS_PROVIDER: undefined, EMAIL_PROVIDER: undefined };
    expect(() => settingsOf({ ...production, ALLOW_LOCAL_WEBHOOKS: "false" })).toThrow(
      /CONSOLE_TEST_CODES/,
    );
  });

  it("takes no phone number, and no page of another host", async () => {
    expect(await call("POST", requestPath, { body: { contact: "+233241234567" } })).toMatchObject({
      status: 400,
      body: { error: { context: { field: "contact" } } },
    });
    const evil = { headers: { Origin: "https://evil.example" } };
    expect((await logInAt("victim@example.com", evil)).status).toBe(403);
  });

  it("gives a new token at each login and ends that of the cookie", async () => {
    const first = cookieOf(await logInAt("rotated@example.com")) ?? "";
    const second = cookieOf(await logInAt("rotated@example.com", { headers: { Cookie: first } }));
    expect(second).not.toBe(first);
    expect((await consoleClient(first)("GET", mePath)).status).toBe(401);
    expect((await consoleClient(second ?? "")("GET", mePath)).status).toBe(200);
  });

  it("does not take over a cookie that somebody planted", async () => {
    const planted = `__Host-console=${"ab".repeat(20)}`;
    const response = await logInAt("fixed@example.com", { headers: { Cookie: planted } });
    expect(cookieOf(response)).not.toBe(planted);
    expect((await consoleClient(planted)("GET", mePath)).status).toBe(401);
  });

  it("reads no cookie of another name, and none when there are two", async () => {
    const { cookie } = await createMember(await createBusiness(), "owner");
    const token = cookie.split("=")[1];
    for (const tossed of [
      `console=${token}`,
      `__host-console=${token}`,
      `__Host-console=${"0".repeat(40)}; ${cookie}`,
      "__Host-console=nonsense",
    ])
      expect((await consoleClient(tossed)("GET", mePath)).status, tossed).toBe(401);
    expect((await consoleClient(`a=b; ${cookie}`)("GET", mePath)).status).toBe(200);
  });
});

describe("a session", () => {
  it("ends after 12 hours without a call, and after 30 days in any case", async () => {
    onTestFinished(() => void vi.useRealTimers());
    const { cookie, userId } = await createMember(await createBusiness(), "owner");
    const ask = consoleClient(cookie);
    const start = Date.now();
    const at = async (ms: number) => {
      vi.setSystemTime(start + ms);
      const { status } = await ask("GET", mePath);
      await vi.waitFor(async () => expect(await sessionRows(userId)).toBe(1));
      return status;
    };
    let time = 0;
    for (; time < 30 * day - 11 * hour; time += 11 * hour) {
      expect(await at(time), `${time / hour} h`).toBe(200);
      await vi.waitFor(async () => {
        const expires = await env.CORE.prepare(
          "select expires_at from console_sessions where user_id = ?",
        )
          .bind(userId)
          .first<number>("expires_at");
        expect(expires).toBeGreaterThanOrEqual(
          Math.min(start + time + 11 * hour, start + 30 * day),
        );
      });
    }
    expect(await at(30 * day + minute)).toBe(401);
    const { cookie: idle } = await createMember(await createBusiness(), "owner");
    vi.setSystemTime(Date.now() + 12 * hour + minute);
    expect((await consoleClient(idle)("GET", mePath)).status).toBe(401);
  });

  it("ends with a logout, at once and for every call", async () => {
    const member = await createMember(await createBusiness(), "owner");
    expect((await member.ask("GET", "")).status).toBe(200);
    const logout = await member.askAt("POST", "/v1/console/auth/logout");
    expect(logout.headers.get("set-cookie")).toMatch(/^__Host-console=; Path=\/; Max-Age=0;/);
    expect((await member.askAt("GET", mePath)).status).toBe(401);
    expect((await member.ask("GET", "")).status).toBe(401);
    const again = await member.askAt("POST", "/v1/console/auth/logout");
    expect(again.status).toBe(200);
  });

  it("cannot be ended by a page of another host", async () => {
    const { cookie } = await createMember(await createBusiness(), "owner");
    const path = "/v1/console/auth/logout";
    for (const headers of [{ Cookie: cookie }, { Cookie: cookie, Origin: "https://evil.example" }])
      expect((await call("POST", path, { headers })).status).toBe(403);
    expect((await consoleClient(cookie)("GET", mePath)).status).toBe(200);
  });
});

describe("operators", () => {
  const path = "/v1/operator/operators";

  it("make operator calls with their cookie, until the token takes that from them", async () => {
    const email = "operator@example.com";
    const granted = await operator("POST", path, { body: { email } });
    expect(granted).toMatchObject({ status: 201, body: { data: { email, is_operator: true } } });
    const ask = consoleClient(cookieOf(await logInAt(email)) ?? "");
    expect((await ask("GET", "/v1/operator/status")).status).toBe(200);
    const { business } = await createBusiness();
    const suspend = `/v1/businesses/${business.id}/suspend`;
    const foreign = { headers: { Origin: "https://evil.example" } };
    expect((await ask("POST", suspend, foreign)).status).toBe(403);
    expect((await ask("POST", suspend)).status).toBe(200);
    expect((await ask("GET", path)).status, "the token alone names operators").toBe(401);
    expect(dataOf(await operator("GET", path)).items).toHaveLength(1);
    await operator("DELETE", `${path}/${dataOf(granted).id}`);
    expect((await ask("GET", "/v1/operator/status")).status).toBeOneOf([401, 403]);
    expect((await operator("DELETE", `${path}/usr_unknown`)).status).toBe(404);
  });

  it("are not made by being the owner of a business", async () => {
    const { ask, askAt } = await createMember(await createBusiness(), "owner");
    expect(facts(await askAt("GET", "/v1/operator/status"))).toEqual({
      status: 403,
      code: "FORBIDDEN",
    });
    expect((await ask("POST", "/suspend")).status).toBe(403);
    expect((await askAt("POST", path, { body: { email: "me@example.com" } })).status).toBe(401);
  });

  it("do not exist in a deployment without an operator's token", async () => {
    await operator("POST", path, { body: { email: "late@example.com" } });
    const cookie = cookieOf(await logInAt("late@example.com")) ?? "";
    const fetch = withBindings({ OPERATOR_TOKEN: undefined });
    expect((await consoleClient(cookie)("GET", "/v1/operator/status", { fetch })).status).toBe(404);
  });
});
