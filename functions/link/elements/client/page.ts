/** @throws when the page has no such element, which its test would show. */
export function find(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}.`);
  return found;
}

export function findInput(id: string): HTMLInputElement {
  const found = find(id);
  if (found instanceof HTMLInputElement) return found;
  throw new Error(`#${id} is no input.`);
}

/** Sends a form's content to `submit` in place of the browser's way. */
export function onSubmit(id: string, submit: () => void): void {
  find(id).addEventListener("submit", (event) => {
    event.preventDefault();
    if (document.body.ariaBusy !== "true") submit();
  });
}

/** Shows the first of the ids, and hides the others. */
export function showOnly(shown: string, ids: readonly string[]): void {
  for (const id of ids) find(id).hidden = id !== shown;
}

/** Fills a list with lines of text; each may be marked as the default one. */
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
