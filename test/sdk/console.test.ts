import { expect, it } from "vitest";
import {
  createBusiness as createBusinessClient,
  createConsole,
  type Fetch,
  ForbiddenError,
  UnauthorizedError,
} from "../../sdk/src/index.ts";
import { cookieOf, createMember } from "../support/console.ts";
import { createBusiness } from "../support/world.ts";
import { createFetch } from "./create-clients.ts";

const baseUrl = "https://duka.test";

/** A browser's `fetch` on a page of the service: it keeps the cookie and names the page's origin. */
function createBrowserFetch(): Fetch {
  const send = createFetch();
  let cookie = "";
  return async (url, init) => {
    const isIncluded = "credentials" in init && init.credentials === "include";
    const own = isIncluded ? { Cookie: cookie, Origin: baseUrl } : {};
    const response = await send(url, { ...init, headers: { ...Object(init.headers), ...own } });
    cookie = cookieOf({ status: response.status, headers: response.headers, body: null }) ?? cookie;
    return response;
  };
}

it("logs in and makes the business's calls without a key", async () => {
  const shop = await createBusiness();
  const { email } = await createMember(shop, "catalogue");
  const fetch = createBrowserFetch();
  const login = createConsole({ baseUrl, fetch });
  await expect(login.me.get()).rejects.toThrow(UnauthorizedError);
  await login.auth.requestOtp({ contact: email });
  const { data } = await login.auth.verifyOtp({ contact: email, otp_code: "123456" });
  const [membership] = data.memberships;
  expect((await login.me.get()).data).toEqual(data);

  const businessId = membership?.business_id ?? "";
  const business = createBusinessClient({ baseUrl, businessId, credentials: "cookie", fetch });
  const { data: tea } = await business.products.create({ name: "Tea", default_price: "5" });
  expect((await business.products.get(tea.id)).data).toEqual(tea);
  await expect(business.webhooks.list()).rejects.toThrow(ForbiddenError);
  await login.auth.logOut();
  await expect(business.products.get(tea.id)).rejects.toThrow(UnauthorizedError);
});
