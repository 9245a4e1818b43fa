import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clientAddress, parseTrustedProxies } from "../../scripts/serve/http/client-address.ts";
import { type ProxyServer, startProxy } from "../../scripts/serve/http/proxy.ts";

const proxies = "127.0.0.1, 10.0.0.0/8, ::1";

it.each([
  { socket: "203.0.113.9", list: "1.1.1.1", client: "203.0.113.9", title: "an unknown socket" },
  { socket: "127.0.0.1", list: "203.0.113.9", client: "203.0.113.9", title: "a trusted proxy" },
  { socket: "::ffff:127.0.0.1", list: "203.0.113.9", client: "203.0.113.9", title: "mapped IPv4" },
  {
    socket: "10.9.8.7",
    list: "1.1.1.1, 203.0.113.9",
    client: "203.0.113.9",
    title: "an invention",
  },
  {
    socket: "127.0.0.1",
    list: "203.0.113.9, 10.1.1.1",
    client: "203.0.113.9",
    title: "two proxies",
  },
  { socket: "::1", list: "[2001:db8::1]:5031", client: "2001:db8::1", title: "a port" },
  { socket: "127.0.0.1", list: "unknown", client: "127.0.0.1", title: "no address" },
  { socket: "127.0.0.1", list: undefined, client: "127.0.0.1", title: "no header" },
])("finds the client's address behind $title", ({ socket, list, client }) => {
  expect(clientAddress(socket, list, parseTrustedProxies(proxies))).toBe(client);
});

it.each(["localhost", "10.0.0.0/33", "10.0.0.0/x"])("refuses %s as a trusted proxy", (entry) => {
  expect(() => parseTrustedProxies(`127.0.0.1,${entry}`)).toThrow(entry);
});

/** What the Workers would receive. */
let received: IncomingMessage | null = null;
const upstream = createServer((incoming, response) => {
  received = incoming;
  incoming.resume().on("end", () => response.end("from the Workers"));
});
let proxy: ProxyServer;
let trustsThisMachine = false;

beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  proxy = await startProxy({
    ...{ host: "127.0.0.1", port: 0 },
    isTrustedProxy: (address) => trustsThisMachine && address === "127.0.0.1",
    isReady: async () => true,
    onError: () => {},
  });
});

afterAll(async () => {
  await proxy.close(0);
  upstream.close();
});

type Answer = Readonly<{ status: number | undefined; text: string }>;

const send = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port: proxy.port, path, headers, agent: false };
    request(options, async (response) => {
      let text = "";
      for await (const part of response) text += part;
      resolve({ status: response.statusCode, text });
    })
      .on("error", reject)
      .end();
  });

it("answers 503 until it is connected to the Workers, and passes requests afterwards", async () => {
  expect(await send("/readyz")).toMatchObject({ status: 503 });
  const refused = await send("/healthz");
  expect(refused.status).toBe(503);
  expect(JSON.parse(refused.text)).toMatchObject({ success: false, error: { retryable: true } });
  const { port } = upstream.address() as AddressInfo; // safe: it listens on a port
  proxy.connect(new URL(`http://127.0.0.1:${port}`));
  expect(await send("/readyz")).toMatchObject({ status: 200 });
  expect(await send("/healthz")).toEqual({ status: 200, text: "from the Workers" });
});

it("replaces the headers by which a client could invent its address or scheme", async () => {
  await send("/shop", {
    Host: "shop.example",
    "CF-Connecting-IP": "1.1.1.1",
    "CF-IPCountry": "GH",
    "MF-CF-Blob": "{}",
    "X-Forwarded-For": "1.1.1.1",
    "X-Forwarded-Proto": "https",
    "X-Public-Key": "pk_test_1",
  });
  expect(received?.url).toBe("http://shop.example/shop");
  expect(received?.headers).toEqual({
    host: "shop.example",
    "cf-connecting-ip": "127.0.0.1",
    "x-public-key": "pk_test_1",
    connection: "keep-alive",
  });
});

it("takes the client's address and scheme from a trusted proxy", async () => {
  trustsThisMachine = true;
  const headers = { "X-Forwarded-For": "1.1.1.1, 203.0.113.9", "X-Forwarded-Proto": "https" };
  await send("/shop", { Host: "shop.example", ...headers });
  trustsThisMachine = false;
  expect(received?.url).toBe("https://shop.example/shop");
  expect(received?.headers["cf-connecting-ip"]).toBe("203.0.113.9");
});

it("refuses a request without a valid host or path", async () => {
  expect(await send("/", { Host: "a b" })).toMatchObject({ status: 400 });
  expect(await send("*")).toMatchObject({ status: 400 });
});
