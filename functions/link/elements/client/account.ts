import { CallError, call, type Fields, fieldsOf, listOf, textOf } from "./api.ts";
import { runElement } from "./element.ts";
import { fillList, find, showOnly } from "./page.ts";

const states = ["account", "nobody"] as const;

const joined = (parts: readonly unknown[]): string => parts.map(textOf).filter(Boolean).join(", ");

const lineOf = (record: Fields, parts: readonly unknown[]) => ({
  text: joined(parts),
  isDefault: record.is_default === true,
});

function fill(saved: Fields): void {
  const { name, email, phone } = fieldsOf(saved.customer);
  find("customer").textContent = joined([name, email, phone]);
  fillList(
    "addresses",
    listOf(saved.addresses).map((one) => {
      const { label, street_address, apartment, city, region, country } = one;
      return lineOf(one, [label, street_address, apartment, city, region, country]);
    }),
  );
  fillList(
    "mobile-money",
    listOf(saved.mobile_money).map((one) => lineOf(one, [one.label, one.phone_number])),
  );
}

/** What a customer has saved. */
runElement((element) => {
  find("log-out").addEventListener("click", () => element.attempt(() => element.logOut()));

  return {
    async show() {
      showOnly("nobody", states);
      fill({}); // what is hidden only could still be read
      const { sessionToken } = element;
      if (sessionToken === null) return;
      try {
        const { data } = await call("GET", "/data", { sessionToken });
        fill(fieldsOf(data));
        showOnly("account", states);
      } catch (error) {
        if (error instanceof CallError && error.code === "UNAUTHORIZED")
          element.sessionToken = null;
        throw error;
      }
    },
  };
});
