import { createRequire } from "node:module";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { certificate } from "./smtp/certificate.ts";
import { startSmtpServer, type TestServer } from "./smtp/start-smtp-servers.ts";

// Wrangler's own bundler, so that the Worker of this test is built like the deployed ones.
const { build } = createRequire(createRequire(import.meta.url).resolve("wrangler"))("esbuild");

let runtime: Miniflare;
const servers: Record<string, TestServer> = {};

beforeAll(async () => {
  const bundled = await build({
    entryPoints: [join(import.meta.dirname, "smtp/smtp-worker.ts")],
    ...{ bundle: true, write: false, format: "esm", target: "esnext" },
    plugins: [
      {
        name: "node modules",
        setup: (bundle: {
          onResolve: (rule: object, resolve: (of: { path: string }) => object) => void;
        }) =>
          bundle.onResolve(
            {
              filter:
                /^(?:node:)?(?:events|url|util|fs|crypto|net|dns|os|tls|https?|zlib|stream|path|child_process)$/,
            },
            ({ path }) => ({ path: `node:${path.replace("node:", "")}`, external: true }),
          ),
      },
    ],
  });
  const script = `import { createRequire as requireOf } from "node:module";
    const require = requireOf("/");
    ${bundled.outputFiles[0].text}`;
  runtime = new Miniflare({
    ...{ modules: true, script },
    ...{ compatibilityDate: "2026-07-30", compatibilityFlags: ["nodejs_compat"] },
    outboundService: {
      network: { allow: ["private"], tlsOptions: { trustedCertificates: [certificate.cert] } },
    },
  });
  servers.starttls = await startSmtpServer({});
  servers.tls = await startSmtpServer({ secure: true });
  servers.plain = await startSmtpServer({ disabledCommands: ["STARTTLS"], authOptional: true });
  await runtime.ready;
});
afterAll(async () => {
  await runtime?.dispose();
  await Promise.all(Object.values(servers).map((server) => server.stop()));
});

const message = {
  id: "msg_1",
  channel: "email",
  to: "ama@example.com",
  subject: "Café – 100 €",
  text: "Café\n.\nEnd",
  html: "<p>Café</p>",
  senderName: 'Café "Corner"',
  replyTo: "help@books.example",
  attachments: [
    {
      filename: "booking.ics",
      contentType: "text/calendar; method=PUBLISH",
      content: "BEGIN:VCALENDAR",
    },
  ],
};

async function send(url: string, over: object = {}): Promise<unknown> {
  const body = JSON.stringify({ url, message: { ...message, ...over } });
  const response = await runtime.dispatchFetch("http://worker.test/", { method: "POST", body });
  return response.json();
}

const urlOf = (name: string, login = "u%40x:p%3Aw%2F@") =>
  `${name === "tls" ? "smtps" : "smtp"}://${login}localhost:${servers[name]?.port}`;

describe("e-mail through SMTP", () => {
  it.each(["starttls", "tls"])("arrives whole over %s, after a login", async (name) => {
    expect(await send(urlOf(name))).toEqual({ type: "sent", providerId: "<msg_1@duka.example>" });
    const [arrived] = servers[name]?.seen.arrived ?? [];
    expect(arrived).toMatchObject({ isSecure: true, user: "u@x" });
    const parsed = await PostalMime.parse(arrived?.raw ?? "");
    expect(parsed).toMatchObject({
      messageId: "<msg_1@duka.example>",
      from: { name: "Café Corner", address: "shop@duka.example" },
      to: [{ address: "ama@example.com" }],
      replyTo: [{ address: "help@books.example" }],
      subject: message.subject,
      attachments: [{ filename: "booking.ics", mimeType: "text/calendar" }],
    });
    expect(parsed.text?.trim()).toBe(message.text);
    expect(parsed.html?.trim()).toBe(message.html);
  });

  it("waits for a server that is busy, refuses the login, or does not listen", async () => {
    const waits = { type: "no_answer", retryAfterMs: null };
    const busy = { to: "busy@example.com" };
    expect(await send(urlOf("starttls"), busy)).toEqual({ ...waits, reason: "reply 451" });
    expect(await send(urlOf("tls", "u:wrong@"))).toEqual({ ...waits, reason: "login refused" });
    expect(await send("smtp://localhost:1")).toEqual({ ...waits, reason: "connection failed" });
  });

  it("repeats its Message-ID when the connection is lost after the message was taken", async () => {
    const { port, seen } = servers.plain ?? expect.unreachable();
    const url = `smtp://localhost:${port}`;
    const { arrived } = seen;
    const before = arrived.length;
    for (const _ of [1, 2])
      expect(await send(url, { to: "lost@example.com" })).toMatchObject({ type: "no_answer" });
    const ids = arrived.slice(before).map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw)?.[1]);
    expect(ids).toEqual(["<msg_1@duka.example>", "<msg_1@duka.example>"]);
  });

  it("bounces at a mailbox that does not exist", async () => {
    expect(await send(urlOf("tls"), { to: "gone@example.com" })).toEqual({
      type: "refused",
      reason: "reply 550",
      isBounce: true,
    });
  });

  it("logs in nowhere without TLS, except on this machine", async () => {
    const { port, seen } = servers.plain ?? expect.unreachable();
    const before = structuredClone(seen);
    const elsewhere = `smtp://u%40x:p%3Aw%2F@127.0.0.2:${port}`;
    expect(await send(elsewhere)).toMatchObject({ type: "no_answer" });
    expect(seen).toEqual(before);
    expect(await send(`smtp://localhost:${port}`)).toMatchObject({ type: "sent" });
  });

  it("takes no other address", async () => {
    for (const url of ["https://a@b", "smtp://", "localhost:25"])
      expect(await send(url)).toEqual({ type: "no server" });
  });
});
