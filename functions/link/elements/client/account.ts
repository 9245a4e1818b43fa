import { CallError, call, fieldsOf, listOf, type ResponseFields, textOf } from "./api.ts";
import { runElement } from "./element.ts";
import { fillList, find, showOnly } from "./page.ts";

const states = ["account", "logged-out"] as const;

const joinTexts = (parts: readonly unknown[]): string =>
  parts.map(textOf).filter(Boolean).join(", ");

const toListLine = (record: ResponseFields, parts: readonly unknown[]) => ({
  text: joinTexts(parts),
  isDefault: record.is_default === true,
});

function fillPage(saved: ResponseFields): void {
  const { name, email, phone } = fieldsOf(saved.customer);
  find("customer").textContent = joinTexts([name, email, phone]);
  fillList(
    "addresses",
    listOf(saved.addresses).map((address) => {
      const { label, street_address, apartment, city, region, country } = address;
      return toListLine(address, [label, street_address, apartment, city, region, country]);
    }),
  );
  fillList(
    "mobile-money",
    listOf(saved.mobile_money).map((account) =>
      toListLine(account, [account.label, account.phone_number]),
    ),
  );
}

/** The page with the customer's saved data. */
runElement((frame) => {
  find("log-out").addEventListener("click", () => frame.run(() => frame.logOut()));

  return {
    async show() {
      showOnly("logged-out", states);
      // Clears the page, because hidden elements could still be read.
      fillPage({});
      const { sessionToken } = frame;
      if (sessionToken === null) return;
      try {
        const { data } = await call("GET", "/data", { sessionToken });
        fillPage(fieldsOf(data));
        showOnly("account", states);
      } catch (error) {
        if (error instanceof CallError && error.code === "UNAUTHORIZED") frame.sessionToken = null;
        throw error;
      }
    },
  };
});
