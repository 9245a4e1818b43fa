import { CallError, call, refreshTokens, type Tokens } from "./api.ts";
import { type FrameMessage, openChannel, type ParentMessage } from "./channel.ts";
import { find } from "./page.ts";
import { applyTheme } from "./theme.ts";

/** A running element. The session token is kept in memory only, where no other page can read it. */
export type ElementFrame = {
  sessionToken: string | null;
  send(message: FrameMessage): void;
  /** Runs tasks one at a time. Errors are shown, and are sent to the page that embeds the frame. */
  run(task: () => void | Promise<void>): void;
  /** Stores the tokens of a login or refresh, and sends them to the page that embeds the frame. */
  setTokens(tokens: Tokens): void;
  logOut(): Promise<void>;
};

type ElementView = Readonly<{
  /** Shows the page as logged in or logged out, depending on the current session. */
  show(): void | Promise<void>;
  /** Fills in the contact that the embedding page suggests. */
  suggestContact?(contact: string): void;
}>;

/**
 * Runs a page as an element. Handles messages of the embedding page and reports the page's height.
 */
export function runElement(createView: (frame: ElementFrame) => ElementView): void {
  const { send } = openChannel((message) => frame.run(() => handleMessage(message)));
  let queue = Promise.resolve();

  const frame: ElementFrame = {
    sessionToken: null,
    send,
    run(task) {
      queue = queue.then(() => runReported(task, send));
    },
    setTokens(tokens) {
      frame.sessionToken = tokens.session_token;
      send({ type: "authenticated", ...tokens });
    },
    async logOut() {
      const { sessionToken } = frame;
      if (sessionToken !== null) await endSession(sessionToken);
      frame.sessionToken = null;
      send({ type: "ready" });
      await view.show();
    },
  };
  const view = createView(frame);

  async function handleMessage(message: ParentMessage): Promise<void> {
    switch (message.type) {
      case "init":
        frame.sessionToken = message.sessionToken;
        applyTheme(message.theme);
        send({ type: "ready" });
        sendHeight();
        await view.show();
        if (message.contact !== null) view.suggestContact?.(message.contact);
        return;
      case "refresh_token":
        frame.setTokens(await refreshTokens(message.refreshToken));
        return view.show();
      case "logout":
        return frame.logOut();
    }
  }

  const root = document.documentElement;
  const sendHeight = () =>
    send({ type: "height_change", height: Math.ceil(root.getBoundingClientRect().height) });
  new ResizeObserver(sendHeight).observe(root);
}

async function runReported(
  task: () => void | Promise<void>,
  send: (message: FrameMessage) => void,
): Promise<void> {
  const alert = find("error");
  alert.textContent = "";
  document.body.ariaBusy = "true";
  try {
    await task();
  } catch (error) {
    const { code, message, retryable } = error instanceof CallError ? error : internalError;
    alert.textContent = message;
    send({ type: "error", code, message, retryable });
  } finally {
    document.body.ariaBusy = null;
  }
}

const internalError = {
  code: "INTERNAL",
  message: "Something failed. Try again.",
  retryable: true,
};

/** Logs out. Succeeds when the session has already ended. */
async function endSession(sessionToken: string): Promise<void> {
  try {
    await call("POST", "/auth/logout", { sessionToken });
  } catch (error) {
    if (!(error instanceof CallError && error.code === "UNAUTHORIZED")) throw error;
  }
}
