import { createButton } from "./page.ts";

type Removal = Readonly<{
  /** What is removed, for those who do not see the button's place. */
  subject: string;
  /** The button that removes, such as "Remove for good". */
  label: string;
  remove: () => void;
  /** Shows the actions as they were. */
  cancel: () => void;
}>;

/**
 * Replaces the actions of a record by a question whether to remove it. A frame of another origin
 * cannot open the browser's own confirmation dialog.
 */
export function askBeforeRemoval(actions: HTMLElement, removal: Removal): void {
  const keep = createButton("Keep", removal.subject, () => {
    removal.cancel();
    actions.querySelector("button")?.focus();
  });
  actions.replaceChildren(createButton(removal.label, removal.subject, removal.remove), keep);
  keep.focus();
}

/** A list item: its lines of text and its actions. */
export function createListItem(lines: readonly string[], actions: HTMLElement): HTMLElement {
  const item = document.createElement("li");
  const spans = lines.map((text) => {
    const line = document.createElement("span");
    line.textContent = text;
    return line;
  });
  actions.className = "actions";
  item.append(...spans, actions);
  return item;
}
