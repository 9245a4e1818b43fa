import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createApiClient } from "../../bench/api-client.ts";

/** The ports of the connections that requests came over, in their order. */
let ports: (number | undefined)[];
const server = createServer((request: IncomingMessage, response) => {
  ports.push(request.socket.remotePort);
  request.resume().once("end", () => response.end('{"success":true,"data":{}}'));
});

beforeEach(async () => {
  ports = [];
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

it("sends each request over a connection of its own, because a server closes idle ones", async () => {
  const { port } = server.address() as AddressInfo;
  const api = createApiClient(`http://127.0.0.1:${port}`, { "X-API-Key": "sk" });
  await api.get("/");
  await api.post("/", {});
  await api.send("/imports", "text/csv", "Handle\n");
  expect(new Set(ports).size).toBe(3);
});
