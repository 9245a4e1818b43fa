import { expect, it } from "vitest";
import { call, createBusiness } from "../support/world.ts";

const readStatusAt = async (host: string, mode: "live" | "test"): Promise<number> => {
  const { keys } = await createBusiness({ mode });
  const headers = { "X-Public-Key": keys.publishable };
  const { status } = await call("GET", "/api/v1/business", { host, headers });
  return status;
};

it.each([
  { host: "sandbox.duka.test", mode: "live", status: 401 },
  { host: "sandbox.duka.test", mode: "test", status: 200 },
  { host: "api.sandbox.duka.test", mode: "live", status: 401 },
  { host: "duka.test", mode: "live", status: 200 },
  { host: "sandboxes.duka.test", mode: "live", status: 200 },
] as const)("a $mode key at $host gets $status", async ({ host, mode, status }) => {
  expect(await readStatusAt(host, mode)).toBe(status);
});
