import { listOf, type ResponseFields, randomKey, textOf } from "./api.ts";
import { askBeforeRemoval, createListItem } from "./list-item.ts";
import { createButton, fillForm, find, findForm, formFields, onPress, onSubmit } from "./page.ts";

type FormFields = Readonly<Record<string, string>>;

/** One kind of saved records. Its name is also the path of its calls and the id of its list. */
export type SavedKind = Readonly<{
  name: "addresses" | "mobile-money";
  titles: Readonly<{ add: string; edit: string }>;
  describe(record: ResponseFields): string;
  /** Saves the form. `record` is the one that is edited, and null for a new one. */
  save(fields: FormFields, record: ResponseFields | null, idempotencyKey: string): Promise<void>;
  makeDefault(id: string): Promise<void>;
  remove(id: string): Promise<void>;
}>;

/** Runs a change of the saved data and shows the page again. */
type RunChange = (change: () => Promise<void>) => void;

/** A list of saved records with buttons for each, and the form that adds or edits one. */
export function createSavedList(kind: SavedKind, run: RunChange) {
  const { name } = kind;
  const [list, addButton, form] = [find(name), find(`${name}-add`), findForm(`${name}-form`)];
  let edited: ResponseFields | null = null;
  let idempotencyKey = "";

  function openForm(record: ResponseFields | null): void {
    edited = record;
    renewKey();
    fillForm(form, record ?? {});
    find(`${name}-form-title`).textContent = record ? kind.titles.edit : kind.titles.add;
    form.hidden = false;
    addButton.hidden = true;
    form.querySelector("input")?.focus();
  }

  function closeForm(): void {
    form.reset();
    form.hidden = true;
    addButton.hidden = false;
  }

  /** The same content keeps its key, so that a form sent again after a lost response saves once. */
  function renewKey(): void {
    idempotencyKey = randomKey();
  }

  onPress(addButton, () => openForm(null));
  onPress(find(`${name}-cancel`), () => {
    closeForm();
    addButton.focus();
  });
  form.addEventListener("input", renewKey);
  onSubmit(form.id, () =>
    run(async () => {
      await kind.save(formFields(form), edited, idempotencyKey);
      closeForm();
      addButton.focus();
    }),
  );

  function createItem(record: ResponseFields): HTMLElement {
    const id = textOf(record.id);
    const text = kind.describe(record);
    const actions = document.createElement("span");
    const showActions = () =>
      actions.replaceChildren(
        createButton("Edit", text, () => openForm(record)),
        ...(record.is_default === true
          ? []
          : [createButton("Make default", text, () => run(() => kind.makeDefault(id)))]),
        createButton("Remove", text, () => askBeforeRemoval(actions, removal)),
      );
    const removal = {
      subject: text,
      label: "Remove for good",
      remove: () =>
        run(async () => {
          await kind.remove(id);
          addButton.focus();
        }),
      cancel: showActions,
    };
    showActions();
    return createListItem([record.is_default === true ? `${text} (default)` : text], actions);
  }

  return {
    /** Shows these records. An open form stays open. */
    show(records: unknown): void {
      const items = listOf(records).map(createItem);
      list.replaceChildren(...items);
      find(`${name}-none`).hidden = items.length > 0;
    },
    closeForm,
  };
}
