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

/**
 * Calls `submit` when the form is submitted, unless a task is running. The browser sends nothing.
 */
export function onSubmit(id: string, submit: () => void): void {
  find(id).addEventListener("submit", (event) => {
    event.preventDefault();
    if (document.body.ariaBusy !== "true") submit();
  });
}

/** Shows one element and hides the others. */
export function showOnly(shownId: string, ids: readonly string[]): void {
  for (const id of ids) find(id).hidden = id !== shownId;
}

/** Fills a list with lines of text and marks the default one. */
export function fillList(
  id: string,
  lines: readonly Readonly<{ text: string; isDefault: boolean }>[],
): void {
  const items = lines.map(({ text, isDefault }) => {
    const item = document.createElement("li");
    item.textContent = isDefault ? `${text} (default)` : text;
    return item;
  });
  find(id).replaceChildren(...items);
  find(`${id}-none`).hidden = items.length > 0;
}
