import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import { createAgentSession, requestFor, sessionOf } from "./create-agent-session.ts";

it("stores the token of a payment nowhere", async () => {
  const shop = await createBusiness();
  const { id } = await createProduct(shop);
  const agent = createAgentSession(shop);
  await sessionOf(agent.create(requestFor({ [id]: 1 })));
  const token = "tok_secret_of_the_buyer";
  const idempotent = { route: "agent completeAgentCheckout", key: "one", fingerprint: "a" };
  const declined = await agent.complete(
    { method: "card", handler: "sandbox", token },
    { idempotent },
  );
  expect(declined).toMatchObject({
    outcome: { value: { problems: [{ code: "payment_failed" }] } },
  });
  expect(JSON.stringify(declined)).not.toContain(token);
  const stored = await runInDurableObject(agent.object(), (_, { storage }) => {
    const tables = storage.sql
      .exec<{ name: string }>("select name from sqlite_master where type = 'table'")
      .toArray()
      .filter(({ name }) => !name.startsWith("_cf_") && !name.startsWith("sqlite_"));
    const rows = tables.map(({ name }) => storage.sql.exec(`select * from ${name}`).toArray());
    return JSON.stringify([rows, [...storage.kv.list()]]);
  });
  expect(stored).toContain("payment_failed");
  expect(stored).not.toContain(token);
  const charges = await selectRows(shop, "select * from sandbox_charges");
  expect(JSON.stringify(charges)).not.toContain(token);
});
