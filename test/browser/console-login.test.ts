import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createShop } from "../end-to-end/create-shop.ts";
import type { SharedService } from "./shared-service.ts";
import { startServiceAndBrowser } from "./start-service-and-browser.ts";

let service: SharedService;
let browser: Browser;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ browser, service, stop } = await startServiceAndBrowser());
});

afterAll(async () => {
  await stop?.();
});

type PageResponse = Readonly<{ status: number; data: unknown }>;

/** Calls the service as a script of the page does. */
const callFromPage = (
  page: Page,
  method: string,
  url: string,
  body?: unknown,
): Promise<PageResponse> =>
  page.evaluate(
    async ([verb, address, json]) => {
      const response = await fetch(address, {
        method: verb,
        credentials: "include",
        headers: { "Content-Type": "application/json" },
        ...(json !== undefined && { body: json }),
      });
      const answer = await response.json();
      return { status: response.status, data: answer.data };
    },
    [method, url, body === undefined ? undefined : JSON.stringify(body)] as const,
  );

/** Lets the browser's authenticator answer options, as @simplewebauthn/browser does. */
const answerOptions = (page: Page, kind: "create" | "get", options: unknown): Promise<unknown> =>
  page.evaluate(
    async ([action, json]) => {
      const credential =
        action === "create"
          ? await navigator.credentials.create({
              publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(json)),
            })
          : await navigator.credentials.get({
              publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(json)),
            });
      return credential instanceof PublicKeyCredential ? credential.toJSON() : null;
    },
    [kind, JSON.stringify(options)] as const,
  );

async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

it("logs in with a code, then with a passkey, on pages of the service alone", async () => {
  const shop = await createShop(service.origin);
  const email = "browser-member@example.com";
  await shop.merchant.members.invite({ email, role: "manager" });
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${service.origin}/healthz`);
  await addAuthenticator(page);
  const ask = (method: string, path: string, body?: unknown) =>
    callFromPage(page, method, path, body);
  const passkeys = "/v1/console/auth/passkeys";

  await ask("POST", "/v1/console/auth/request-otp", { contact: email });
  const code = { contact: email, otp_code: "123456" };
  const login = await ask("POST", "/v1/console/auth/verify-otp", code);
  expect(login).toMatchObject({ status: 200, data: { memberships: [{ role: "manager" }] } });
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ name: "__Host-console", httpOnly: true, sameSite: "Strict" });

  const products = `/v1/businesses/${shop.id}/products`;
  const created = await ask("POST", products, { name: "Tea", default_price: "5" });
  expect(created.status, "the browser names the page's origin").toBe(201);

  const { data: options } = await ask("POST", `${passkeys}/register-options`, {});
  const response = await answerOptions(page, "create", options);
  const registered = await ask("POST", `${passkeys}/register`, { response, name: "Laptop" });
  expect(registered).toMatchObject({ status: 201, data: { name: "Laptop" } });
  await ask("POST", "/v1/console/auth/logout", {});
  expect((await ask("GET", "/v1/console/me")).status).toBe(401);

  const { data: loginOptions } = await ask("POST", `${passkeys}/login-options`, {});
  const signed = await answerOptions(page, "get", loginOptions);
  expect((await ask("POST", `${passkeys}/login`, { response: signed })).status).toBe(200);
  expect(await ask("GET", "/v1/console/me")).toMatchObject({
    status: 200,
    data: { user: { email } },
  });

  const foreign = service.origin.replace("localhost", "127.0.0.1");
  const elsewhere = await page.context().newPage();
  await elsewhere.goto(`${foreign}/healthz`);
  const { status } = await callFromPage(elsewhere, "GET", `${service.origin}/v1/console/me`);
  expect(status, "the browser sends the cookie to pages of its own site only").toBe(401);
});
