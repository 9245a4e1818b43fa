import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { deriveWebhookSecret, signatureHeaders } from "../../shared/webhooks/signature.ts";

const signingSecret = "a-signing-secret-of-the-deployment-0123456789";
const secretId = { subscriptionId: "whk_01k0000000000000000000000a", generation: 1 };
const body = '{"id":"evt_1","type":"order.created","data":{"name":"Kɔfi ☕"}}';

it("derives a secret of 32 bytes from the subscription and its generation", async () => {
  const secret = await deriveWebhookSecret(signingSecret, secretId);
  const expected = createHmac("sha256", signingSecret)
    .update(`${secretId.subscriptionId}.1`)
    .digest("base64");
  expect(secret).toBe(`whsec_${expected}`);
  expect(await deriveWebhookSecret(signingSecret, { ...secretId, generation: 2 })).not.toBe(secret);
});

it("signs the raw body in hex, with the secret's text as the key", async () => {
  const secret = await deriveWebhookSecret(signingSecret, secretId);
  const headers = await signatureHeaders({
    eventId: "evt_1",
    body,
    at: 1_700_000_000_999,
    secrets: [secret],
  });
  expect(headers["X-Service-Signature"]).toBe(
    createHmac("sha256", secret).update(body, "utf8").digest("hex"),
  );
  expect(headers["X-Service-Signature"]).toMatch(/^[0-9a-f]{64}$/);
});

it("signs as Standard Webhooks specifies: the key is the base64 after whsec_", async () => {
  const secret = await deriveWebhookSecret(signingSecret, secretId);
  const headers = await signatureHeaders({
    eventId: "evt_1",
    body,
    at: 1_700_000_000_999,
    secrets: [secret],
  });
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const expected = createHmac("sha256", key).update(`evt_1.1700000000.${body}`).digest("base64");
  expect(headers).toMatchObject({
    "webhook-id": "evt_1",
    "webhook-timestamp": "1700000000",
    "webhook-signature": `v1,${expected}`,
  });
});

it("passes the Standard Webhooks verifier with the old and the new secret", async () => {
  const secrets = [
    await deriveWebhookSecret(signingSecret, { ...secretId, generation: 2 }),
    await deriveWebhookSecret(signingSecret, secretId),
  ] as const;
  const headers = await signatureHeaders({ eventId: "evt_1", body, at: Date.now(), secrets });
  for (const secret of secrets) {
    expect(new Webhook(secret).verify(body, { ...headers })).toEqual(JSON.parse(body));
  }
  expect(() => new Webhook(`whsec_${btoa("x".repeat(32))}`).verify(body, { ...headers })).toThrow();
  expect(headers["X-Service-Signature"]).toBe(
    createHmac("sha256", secrets[0]).update(body).digest("hex"),
  );
});
