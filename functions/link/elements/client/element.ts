import { CallError, call, refreshTokens, type Tokens } from "./api.ts";
import { type Asked, openChannel, type Told } from "./channel.ts";
import { find } from "./page.ts";

/** A frame at work. Its token lives here alone, never in storage, and goes with the page. */
export type Element = {
  sessionToken: string | null;
  tell(told: Told): void;
  /** Does one thing at a time; what fails is shown to the reader and told to the page around. */
  attempt(work: () => void | Promise<void>): void;
  /** Somebody has logged in, or stays so. */
  accept(tokens: Tokens): void;
  logOut(): Promise<void>;
};

type Page = Readonly<{
  /** Shows the page anew for whoever is logged in, or for nobody. */
  show(): void | Promise<void>;
  /** With a contact, so that nobody has to type it again. */
  suggest?(contact: string): void;
}>;

/** Runs a page as an element: what it is asked from around, and its height told as it changes. */
export function runElement(makePage: (element: Element) => Page): void {
  const channel = openChannel((asked) => element.attempt(() => answer(asked)));
  const { tell } = channel;
  let work = Promise.resolve();

  const element: Element = {
    sessionToken: null,
    tell,
    attempt(todo) {
      work = work.then(() => attempted(todo, tell));
    },
    accept(tokens) {
      element.sessionToken = tokens.session_token;
      tell({ type: "authenticated", ...tokens });
    },
    async logOut() {
      const { sessionToken } = element;
      if (sessionToken !== null) await endSession(sessionToken);
      element.sessionToken = null;
      tell({ type: "ready" });
      await page.show();
    },
  };
  const page = makePage(element);

  async function answer(asked: Asked): Promise<void> {
    switch (asked.type) {
      case "init":
        element.sessionToken = asked.sessionToken;
        tell({ type: "ready" });
        tellHeight();
        await page.show();
        if (asked.contact !== null) page.suggest?.(asked.contact);
        return;
      case "refresh_token":
        element.accept(await refreshTokens(asked.refreshToken));
        return page.show();
      case "logout":
        return element.logOut();
    }
  }

  const root = document.documentElement;
  const tellHeight = () =>
    tell({ type: "height_change", height: Math.ceil(root.getBoundingClientRect().height) });
  new ResizeObserver(tellHeight).observe(root);
}

async function attempted(
  todo: () => void | Promise<void>,
  tell: (told: Told) => void,
): Promise<void> {
  const alert = find("error");
  alert.textContent = "";
  document.body.ariaBusy = "true";
  try {
    await todo();
  } catch (error) {
    const { code, message, retryable } = error instanceof CallError ? error : unforeseen;
    alert.textContent = message;
    tell({ type: "error", code, message, retryable });
  } finally {
    document.body.ariaBusy = null;
  }
}

const unforeseen = { code: "INTERNAL", message: "Something failed; try again.", retryable: true };

/** A session that is over already has ended as it was to. */
async function endSession(sessionToken: string): Promise<void> {
  try {
    await call("POST", "/auth/logout", { sessionToken });
  } catch (error) {
    if (!(error instanceof CallError && error.code === "UNAUTHORIZED")) throw error;
  }
}
