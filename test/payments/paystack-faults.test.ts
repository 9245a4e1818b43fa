import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PaymentProvider } from "../../shared/payments/index.ts";
import { createCharge, createRefund } from "./create-charge.ts";
import { failure, secretKey, stubPaystack } from "./paystack-stub.ts";

const never = () => new Promise<Response>(() => {});

/** A body that starts and never ends. */
const stalled = () =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"status":')),
    }),
  );

const endless = () =>
  new Response(
    new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024).fill(32)),
    }),
  );

const faults: readonly (readonly [string, () => Response | Promise<Response>])[] = [
  ["no connection", () => Promise.reject(new TypeError("Network connection lost."))],
  ["a status 500", () => failure("Internal error", 500)],
  ["a proxy's 502", () => new Response("<html>Bad gateway</html>", { status: 502 })],
  ["a page in place of JSON", () => new Response("<html>Welcome</html>")],
  ["a page with a 400", () => new Response("<html>Blocked</html>", { status: 400 })],
  ["nothing at all", () => new Response(null)],
  ["JSON that stops in the middle", () => new Response('{"status":true,"data":{"refer')],
  ["JSON of another kind", () => Response.json([1, 2, 3])],
  ["success without data", () => Response.json({ status: true, message: "ok" })],
  ["a refusal with a 200", () => Response.json({ status: false, message: "Invalid key" })],
  ["our key's permission refused", () => failure("Not allowed", 403)],
  ["our request rate refused", () => failure("Please wait a few minutes and try again.", 429)],
  ["a redirect", () => Response.redirect("https://elsewhere.example/", 302)],
  ["a body without an end", endless],
  ["a timeout", never],
  ["a stall in the middle of a body", stalled],
];

const charge = createCharge();
const card = createCharge({ mobileMoney: null });
const calls: readonly (readonly [string, (provider: PaymentProvider) => Promise<unknown>])[] = [
  ["a charge of mobile money", (provider) => provider.charge(charge)],
  ["a charge of a card", (provider) => provider.charge(card)],
  [
    "an authorization",
    (provider) => provider.authorize({ reference: charge.reference, type: "otp", value: "123456" }),
  ],
  ["verify", (provider) => provider.verify(charge.reference)],
  ["a refund", (provider) => provider.refund(createRefund(charge))],
];

describe.each(calls)("%s", (_, ask) => {
  it.each(faults)("returns no_answer on %s and logs no personal data", async (_, fault) => {
    const { provider, calls, reports } = stubPaystack({ anything: fault }, { timeoutMs: 100 });
    expect(await ask(provider)).toEqual({ type: "no_answer" });
    expect(calls).toHaveLength(1);
    expect(reports).toHaveLength(1);
    const logged = JSON.stringify(reports);
    for (const secret of [secretKey, "551234987", "ama@example", charge.reference, "123456"]) {
      expect(logged).not.toContain(secret);
    }
  });

  it("returns one of its results for any response bytes", async () => {
    const known = [
      "captured",
      "authorization",
      "redirect",
      "await",
      "declined",
      "no_answer",
      "wrong_value",
      "unknown",
      "open",
      "refunded",
      "pending",
      "unavailable",
    ];
    const reference = charge.reference.replace("ref_", "ref-");
    const data = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          id: fc.oneof(fc.integer(), fc.jsonValue()),
          reference: fc.oneof(fc.constant(reference), fc.jsonValue()),
          status: fc.oneof(
            fc.constantFrom("success", "failed", "send_otp", "open_url", "pending", "ongoing"),
            fc.jsonValue(),
          ),
          amount: fc.oneof(fc.integer(), fc.double(), fc.jsonValue()),
          currency: fc.oneof(fc.constantFrom("GHS", "XOF", "KWD", "ghs", ""), fc.jsonValue()),
          url: fc.oneof(fc.constantFrom("https://a.example/x", "http://a"), fc.jsonValue()),
          authorization_url: fc.oneof(
            fc.constantFrom("https://a.example/x", "http://a"),
            fc.jsonValue(),
          ),
          channel: fc.constantFrom("mobile_money", "card", 7, null),
        },
        { requiredKeys: [] },
      ),
    );
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.json(),
      fc
        .record({ status: fc.oneof(fc.boolean(), fc.jsonValue()), message: fc.jsonValue(), data })
        .map((envelope) => JSON.stringify(envelope)),
    );
    const status = fc.constantFrom(200, 200, 200, 201, 302, 400, 401, 404, 422, 429, 500, 503);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(body, status), { minLength: 1 }), async (answers) => {
        let turn = 0;
        const anything = () => {
          const [bytes, code] = answers[turn++ % answers.length] ?? ["", 200];
          return new Response(bytes, { status: code });
        };
        const result = await ask(stubPaystack({ anything }).provider);
        expect(known).toContain(Object(result).type);
      }),
      { numRuns: 100, seed: 20_260_101 },
    );
  }, 60_000);
});

it.each(calls)(
  "a refused key leaves %s without an answer, and a charge unavailable",
  async (name, ask) => {
    const { provider, reports, refusedKeys } = stubPaystack({
      anything: () => failure("Invalid key", 401),
    });
    const isCharge = name.startsWith("a charge");
    expect(await ask(provider)).toEqual(
      isCharge
        ? { type: "unavailable", reason: "credentials" }
        : { type: "no_answer", ...(name === "verify" && { isKeyRefused: true }) },
    );
    expect(refusedKeys()).toBe(isCharge ? 1 : 0);
    expect(reports).toHaveLength(1);
  },
);
