import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findPort, type ServerProcess, startServer } from "../../bench/proof/server-process.ts";
import { operatorToken } from "../../bench/runtime.ts";
import { connectShop, createOperator } from "./create-shop.ts";
import { newBusiness } from "./request-bodies.ts";

const stateDir = mkdtempSync(join(tmpdir(), "duka-serve-"));
let server: ServerProcess;

/** A start builds the Workers when there is no build of the present sources. */
beforeAll(async () => {
  server = await startServer(stateDir, await findPort());
});

afterAll(async () => {
  await server?.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

it("passes the messages of a support conversation to both of its sockets", async () => {
  const { origin } = server.origin;
  const { data: created } = await createOperator(origin, operatorToken).businesses.create(
    newBusiness,
  );
  const { business, location, keys } = created;
  const shop = connectShop(origin, { id: business.id, locationId: location.id, keys });
  const shopper = shop.shopper();
  const { data: opened } = await shopper.support.open();
  const { id: threadId, created_at: after } = opened.conversation;
  const atShopper = shopper.support.connect({ after });
  const atAgent = shop.merchant.conversations.connect(threadId, { after });
  const [toShopper, toAgent] = [atShopper, atAgent].map((connection) =>
    connection[Symbol.asyncIterator](),
  );

  await shopper.support.sendMessage({ content: "Where is my shirt?", client_id: "m-1" });
  expect((await toAgent?.next())?.value).toMatchObject({ content: "Where is my shirt?" });
  await shop.merchant.conversations.sendMessage(threadId, { content: "On its way" });
  expect((await toShopper?.next())?.value).toMatchObject({ content: "Where is my shirt?" });
  expect((await toShopper?.next())?.value).toMatchObject({ content: "On its way" });
  for (const connection of [atShopper, atAgent]) connection.close();
  expect(server.failures()).toEqual([]);
});
