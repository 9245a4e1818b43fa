import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { type ProxyServer, startProxy } from "../../scripts/serve/http/proxy.ts";

let proxy: ProxyServer | undefined;
let workers: Server | undefined;

afterEach(async () => {
  await proxy?.close(100);
  workers?.closeAllConnections();
  workers?.close();
});

/** Starts the proxy in front of a server that handles upgrades in this way. */
async function startBehindProxy(onUpgrade: (socket: Socket) => void): Promise<ProxyServer> {
  workers = createServer().on("upgrade", (_request, socket: Socket) => onUpgrade(socket));
  workers.listen(0, "127.0.0.1");
  await once(workers, "listening");
  const { port } = workers.address() as AddressInfo; // Safe: it listens on a port.
  proxy = await startProxy({
    ...{ host: "127.0.0.1", port: 0, isTrustedProxy: () => false },
    isReady: async () => true,
    onError: () => {},
  });
  proxy.connect(new URL(`http://127.0.0.1:${port}`));
  return proxy;
}

/** Connects and asks for a WebSocket. */
async function requestSocket({ port }: ProxyServer): Promise<Socket> {
  const client = connect(port, "127.0.0.1");
  await once(client, "connect");
  client.write(
    "GET /chat HTTP/1.1\r\nHost: duka.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
  );
  return client;
}

const accepted =
  "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

it("passes what both sides of a WebSocket send", async () => {
  const server = await startBehindProxy((socket) => {
    socket.write(`${accepted}hello`);
    socket.on("data", (data) => socket.write(`you said ${data}`));
  });
  const client = await requestSocket(server);
  let received = "";
  client.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
  await expect.poll(() => received).toContain("hello");
  client.write("good morning");
  await expect.poll(() => received).toContain("you said good morning");
});

it("ends although a WebSocket is open, and although another one is not yet accepted", async () => {
  let upgrades = 0;
  const server = await startBehindProxy((socket) => {
    upgrades += 1;
    if (upgrades === 1) socket.write(accepted);
  });
  const clients = [await requestSocket(server)];
  await once(clients[0] as Socket, "data"); // Safe: it was just added.
  clients.push(await requestSocket(server));
  await expect.poll(() => upgrades).toBe(2);
  const closed = clients.map((client) => once(client, "close"));
  for (const client of clients) client.on("error", () => {});
  await server.close(60_000);
  await Promise.all(closed);
});
