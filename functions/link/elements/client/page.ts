/** @throws when the page has no such element. */
export function find(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}.`);
  return element;
}

export function findInput(id: string): HTMLInputElement {
  const element = find(id);
  if (element instanceof HTMLInputElement) return element;
  throw new Error(`#${id} is no input.`);
}

export function findForm(id: string): HTMLFormElement {
  const element = find(id);
  if (element instanceof HTMLFormElement) return element;
  throw new Error(`#${id} is no form.`);
}

const isBusy = (): boolean => document.body.ariaBusy === "true";

/**
 * Calls `submit` when the form is submitted, unless a task is running. The browser sends nothing.
 */
export function onSubmit(id: string, submit: () => void): void {
  find(id).addEventListener("submit", (event) => {
    event.preventDefault();
    if (!isBusy()) submit();
  });
}

/** Calls `press` when the button is pressed, unless a task is running. */
export function onPress(button: HTMLElement, press: () => void): void {
  button.addEventListener("click", () => {
    if (!isBusy()) press();
  });
}

/** A button that names what it acts on for those who do not see its place. */
export function createButton(text: string, subject: string, press: () => void): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.ariaLabel = `${text}: ${subject}`;
  onPress(button, press);
  return button;
}

/** Shows one element and hides the others. */
export function showOnly(shownId: string, ids: readonly string[]): void {
  for (const id of ids) find(id).hidden = id !== shownId;
}

/** The trimmed values of a form's fields by their names. */
export const formFields = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));

/** Fills the fields that have the names of the values; the others are emptied. */
export function fillForm(form: HTMLFormElement, values: Readonly<Record<string, unknown>>): void {
  form.reset();
  for (const field of form.elements) {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
    const value = values[field.name];
    if (field.type === "checkbox" && field instanceof HTMLInputElement)
      field.checked = value === true;
    else if (typeof value === "string") field.value = value;
  }
}
