import { listOf, type ResponseFields, randomKey, textOf } from "./api.ts";
import { askBeforeRemoval, createListItem } from "./list-item.ts";
import { createButton, find, findForm, formFields, onPress, onSubmit } from "./page.ts";

type ContactActions = Readonly<{
  sendCode(contact: string): Promise<void>;
  add(
    contact: string,
    codes: Readonly<{ otp_code: string; contact_id: string; confirming_code: string }>,
    idempotencyKey: string,
  ): Promise<void>;
  /** Removes a contact, which ends the session too. */
  remove(id: string): Promise<void>;
  /** Runs a task, and shows the page again if it is a change. */
  run(task: () => Promise<void>): void;
  runChange(change: () => Promise<void>): void;
}>;

/**
 * The contacts of an account. A new one is added with a code to it and a code to a contact that the
 * account has.
 */
export function createContactList(contacts: ContactActions) {
  const [contactForm, codesForm] = [findForm("contacts-form"), findForm("contact-codes-form")];
  const addButton = find("contacts-add");
  let idempotencyKey = "";

  function showForm(shown: HTMLFormElement | null): void {
    for (const form of [contactForm, codesForm]) form.hidden = form !== shown;
    addButton.hidden = shown !== null;
    shown?.querySelector("input")?.focus();
  }

  function closeForms(): void {
    contactForm.reset();
    codesForm.reset();
    showForm(null);
  }

  function readContacts() {
    const { contact = "", contact_id = "" } = formFields(contactForm);
    const select = contactForm.querySelector("select");
    return { contact, contact_id, confirming: select?.selectedOptions[0]?.textContent ?? "" };
  }

  onPress(addButton, () => showForm(contactForm));
  for (const id of ["contacts-cancel", "contact-codes-cancel"])
    onPress(find(id), () => {
      closeForms();
      addButton.focus();
    });
  codesForm.addEventListener("input", () => {
    idempotencyKey = randomKey();
  });

  onSubmit(contactForm.id, () =>
    contacts.run(async () => {
      const { contact, confirming } = readContacts();
      await contacts.sendCode(confirming);
      await contacts.sendCode(contact);
      find("new-contact-code-for").textContent = contact;
      find("own-contact-code-for").textContent = confirming;
      codesForm.reset();
      showForm(codesForm);
    }),
  );

  onSubmit(codesForm.id, () =>
    contacts.runChange(async () => {
      const { contact, contact_id } = readContacts();
      const { otp_code = "", confirming_code = "" } = formFields(codesForm);
      await contacts.add(contact, { otp_code, contact_id, confirming_code }, idempotencyKey);
      closeForms();
      addButton.focus();
    }),
  );

  function createItem(record: ResponseFields, isLast: boolean): HTMLElement {
    const text = textOf(record.contact);
    const actions = document.createElement("span");
    const showActions = () =>
      actions.replaceChildren(
        ...(isLast ? [] : [createButton("Remove", text, () => askBeforeRemoval(actions, removal))]),
      );
    const removal = {
      subject: text,
      label: "Remove and log out everywhere",
      remove: () => contacts.run(() => contacts.remove(textOf(record.id))),
      cancel: showActions,
    };
    showActions();
    return createListItem([text], actions);
  }

  return {
    show(value: unknown): void {
      const records = listOf(value);
      const isLast = records.length === 1;
      find("contacts").replaceChildren(...records.map((record) => createItem(record, isLast)));
      const options = records.map(
        ({ contact, id }) => new Option(textOf(contact), textOf(id), false, false),
      );
      const select = contactForm.querySelector("select");
      const chosen = select?.value;
      select?.replaceChildren(...options);
      if (select && options.some((option) => option.value === chosen)) select.value = chosen ?? "";
    },
    closeForms,
  };
}
