import { CallError, call, fieldsOf, type ResponseFields, textOf } from "./api.ts";
import { createContactList } from "./contact-list.ts";
import { runElement } from "./element.ts";
import {
  fillForm,
  find,
  findForm,
  findInput,
  formFields,
  onPress,
  onSubmit,
  showOnly,
} from "./page.ts";
import { createPendingList } from "./pending-list.ts";
import { createPlatformList } from "./platform-list.ts";
import { createSavedList } from "./saved-list.ts";

const joinTexts = (parts: readonly unknown[]): string =>
  parts.map(textOf).filter(Boolean).join(", ");

const describeAddress = (address: ResponseFields): string => {
  const { label, street_address, apartment, city, region, country } = address;
  return joinTexts([label, street_address, apartment, city, region, country]);
};

const describeMobileMoney = ({ label, phone_number, provider }: ResponseFields): string =>
  joinTexts([label, phone_number, optionText("mobile-money-form", provider)]);

const states = ["account", "logged-out"] as const;

/** Empty optional fields are saved as null. */
const nullForEmpty = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value || null]));

/** The page on which a customer sees and changes what Link has saved. */
runElement((frame) => {
  const preferencesForm = findForm("preferences-form");

  type CallParameters = Parameters<typeof call>;

  /** Calls as the customer. When the session has ended, the page shows that nobody is logged in. */
  async function callAsCustomer(
    method: CallParameters[0],
    path: string,
    options: CallParameters[2] = {},
  ): Promise<ResponseFields> {
    try {
      return await call(method, path, { ...options, sessionToken: frame.sessionToken });
    } catch (error) {
      if (error instanceof CallError && error.code === "UNAUTHORIZED") {
        frame.sessionToken = null;
        showLoggedOut();
      }
      throw error;
    }
  }

  const runChange = (change: () => Promise<void>) =>
    frame.run(async () => {
      await change();
      await showSavedData();
    });

  const pathsOf = (name: string) => ({
    async makeDefault(id: string) {
      await callAsCustomer("POST", `/${name}/${id}/default`);
    },
    async remove(id: string) {
      await callAsCustomer("DELETE", `/${name}/${id}`);
    },
  });

  const addresses = createSavedList(
    {
      ...pathsOf("addresses"),
      name: "addresses",
      titles: { add: "New address", edit: "Edit the address" },
      describe: describeAddress,
      async save(fields, record, idempotencyKey) {
        const path = record ? `/addresses/${textOf(record.id)}` : "/addresses";
        await callAsCustomer("POST", path, { body: nullForEmpty(fields), idempotencyKey });
      },
    },
    runChange,
  );

  const mobileMoney = createSavedList(
    {
      ...pathsOf("mobile-money"),
      name: "mobile-money",
      titles: { add: "New mobile-money account", edit: "Edit the mobile-money account" },
      describe: describeMobileMoney,
      async save(fields, record, idempotencyKey) {
        const body = nullForEmpty(fields);
        const saved = await callAsCustomer("POST", "/mobile-money", { body, idempotencyKey });
        if (record) await replaceMobileMoney(record, textOf(fieldsOf(saved.data).id));
      },
    },
    runChange,
  );

  /** An account cannot be changed, so the new one takes the place of the edited one. */
  async function replaceMobileMoney(edited: ResponseFields, newId: string): Promise<void> {
    const { makeDefault, remove } = pathsOf("mobile-money");
    if (edited.is_default === true) await makeDefault(newId);
    await remove(textOf(edited.id));
  }

  const pending = createPendingList({
    describeAddress,
    describeMobileMoney,
    describeOrderType: (code) => optionText("preferences-form", code),
    save: (id) =>
      runChange(async () => {
        await callAsCustomer("POST", `/pending-details/${id}/confirm`);
      }),
    discard: (id) =>
      runChange(async () => {
        await callAsCustomer("DELETE", `/pending-details/${id}`);
      }),
  });

  const platforms = createPlatformList({
    disconnect: (id) => runChange(() => pathsOf("platforms").remove(id)),
  });

  const contacts = createContactList({
    run: (task) => frame.run(task),
    runChange,
    async sendCode(contact) {
      await call("POST", "/elements/request-otp", { body: { contact } });
    },
    async add(contact, { otp_code, contact_id, confirming_code }, idempotencyKey) {
      const confirmation = { contact_id, otp_code: confirming_code };
      const body = { contact, otp_code, confirmation };
      await callAsCustomer("POST", "/contacts", { body, idempotencyKey });
    },
    async remove(id) {
      await callAsCustomer("DELETE", `/contacts/${id}`);
      await frame.logOut();
    },
  });

  onSubmit("preferences-form", () =>
    runChange(async () => {
      const { preferred_order_type } = formFields(preferencesForm);
      const body = {
        preferred_order_type: preferred_order_type || null,
        notify_on_order: findInput("notify-on-order").checked,
      };
      await callAsCustomer("POST", "/preferences", { body });
      find("preferences-saved").hidden = false;
    }),
  );
  preferencesForm.addEventListener("input", () => {
    find("preferences-saved").hidden = true;
  });

  onPress(find("log-out"), () => frame.run(() => frame.logOut()));

  /** Clears the page too, because hidden elements could still be read. */
  function showLoggedOut(): void {
    showOnly("logged-out", states);
    fillLists({});
    fillForm(preferencesForm, {});
    addresses.closeForm();
    mobileMoney.closeForm();
    contacts.closeForms();
  }

  function fillLists({ customer, ...saved }: ResponseFields): void {
    const { name, email, phone } = fieldsOf(customer);
    find("customer").textContent = joinTexts([name, email, phone]);
    addresses.show(saved.addresses);
    mobileMoney.show(saved.mobile_money);
    pending.show(saved.pending_details);
    contacts.show(saved.contacts);
    platforms.show(saved.platforms);
  }

  /** Shows the lists again, and leaves forms alone in which somebody may be writing. */
  async function showSavedData(): Promise<ResponseFields> {
    const [data, pendingDetails, ownContacts, linkedPlatforms] = await Promise.all(
      ["/data", "/pending-details", "/contacts", "/platforms"].map((path) =>
        callAsCustomer("GET", path),
      ),
    );
    const saved = {
      ...fieldsOf(data?.data),
      pending_details: pendingDetails?.data,
      contacts: ownContacts?.data,
      platforms: linkedPlatforms?.data,
    };
    fillLists(saved);
    return saved;
  }

  /** An account that only logged in has no preferences before it enrols. */
  async function isEnrolled(): Promise<boolean> {
    try {
      await callAsCustomer("GET", "/preferences");
      return true;
    } catch (error) {
      if (error instanceof CallError && error.code === "NOT_ENROLLED") return false;
      throw error;
    }
  }

  return {
    async show() {
      showLoggedOut();
      if (frame.sessionToken === null) return;
      find("preferences-saved").hidden = true;
      find("preferences").hidden = !(await isEnrolled());
      const { preferences } = await showSavedData();
      fillForm(preferencesForm, fieldsOf(preferences));
      showOnly("account", states);
    },
  };
});

/** The text of a form's option with the code, such as a network's name. */
function optionText(formId: string, code: unknown): string {
  const options = [...find(formId).querySelectorAll("option")];
  return options.find(({ value }) => value === code)?.textContent ?? textOf(code);
}
