import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { day, hour, minute } from "../../shared/kernel/index.ts";
import { createMember, logInAt } from "../support/console.ts";
import { call, createBusiness, operator } from "../support/world.ts";
import { createBackgroundWorker } from "./create-background-worker.ts";

const start = Date.parse("2033-01-01T00:00:00Z");

const emailsLeft = async (emails: readonly string[]): Promise<string[]> => {
  const { results } = await env.CORE.prepare("select email from users").all<{ email: string }>();
  return results.map(({ email }) => email).filter((email) => emails.includes(email));
};

const countRows = (table: string): Promise<number | null> =>
  env.CORE.prepare(`select count(*) as count from ${table}`).first<number>("count");

it("deletes ended sessions and challenges, and people who have nothing but such a session", async () => {
  vi.setSystemTime(start);
  const { email: member } = await createMember(await createBusiness(), "viewer");
  const [visitor, operating] = ["visitor@example.com", "operating@example.com"];
  await operator("POST", "/v1/operator/operators", { body: { email: operating } });
  for (const email of [visitor, operating]) await logInAt(email);
  await call("POST", "/v1/console/auth/passkeys/login-options");
  const emails = [member, visitor, operating].toSorted();
  const { cron } = createBackgroundWorker();

  vi.setSystemTime(start + 12 * hour - minute);
  await cron();
  expect((await emailsLeft(emails)).toSorted()).toEqual(emails);
  expect([await countRows("console_sessions"), await countRows("passkey_challenges")]).toEqual([
    3, 0,
  ]);
  vi.setSystemTime(start + day);
  await cron();
  expect((await emailsLeft(emails)).toSorted()).toEqual([member, operating].toSorted());
  expect(await countRows("console_sessions")).toBe(0);
});
