import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { runtime } from "../../functions/runtime/runtime.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { Refusal } from "../../shared/kernel/index.ts";
import {
  type Audience,
  type CodeContext,
  type CodeRequest,
  type CodeToSend,
  issueCode,
  redeemCode,
} from "../../shared/one-time-codes/index.ts";

export const phone = { type: "phone", value: "+233241234567" } as const;
export const email = { type: "email", value: "ama@example.com" } as const;

/** The network from which the fixture requests and redeems codes. */
export const network = "203.0.113.7";

export const start = Date.parse("2026-06-01T10:00:00Z");

/** An audience of its own, live by default, with a clock that the test advances. */
export function createCodeFixture(over: Partial<Audience> & { database?: D1Database } = {}) {
  const { database = env.SHOP_1, ...audience } = over;
  const meter = createMeter();
  let now = start;
  const ctx: CodeContext = {
    ...runtime,
    now: () => now,
    db: openDb(database, meter),
    audience: { id: crypto.randomUUID(), name: "Corner Books", mode: "live", ...audience },
    codes: { secret: "code-secret-for-tests", perHourPerAddress: 20 },
  };
  return {
    ctx,
    meter,
    wait: (ms: number) => {
      now += ms;
    },
    /** Issues a code and returns it as its message would say it. */
    async issue({
      contact = phone,
      network: from = network,
    }: Partial<Requester> = {}): Promise<string> {
      return issueAndRead(ctx, { contact, network: from });
    },
    redeem: (
      code: string,
      { contact = phone, network: from = network }: Partial<Parameters<typeof redeemCode>[1]> = {},
    ) => outcomeOf(redeemCode(ctx, { contact, code, network: from })),
  };
}

type Requester = Pick<CodeRequest, "contact" | "network">;

/** A request for a code whose message is not stored. */
export const withoutMessage = (
  request: Requester,
  onCode: (message: CodeToSend) => void = () => {},
): CodeRequest => ({
  ...request,
  async writeMessage(message) {
    onCode(message);
    return () => openDb(env.CORE, createMeter()).run(sql`select 1`);
  },
});

/** Issues a code whose message is not stored, and returns it. */
export async function issueAndRead(ctx: CodeContext, request: Requester): Promise<string> {
  let code = "";
  await issueCode(
    ctx,
    withoutMessage(request, (message) => {
      code = message.code;
    }),
  );
  return code;
}

/** "ok", or the error code of the refusal. */
export const outcomeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "ok",
    (error: unknown) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    },
  );

/** Another code than the given one. */
export const wrongCode = (code: string): string => (code === "000000" ? "000001" : "000000");
