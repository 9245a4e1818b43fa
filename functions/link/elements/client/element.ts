import { CallError, call, refreshTokens, type Tokens } from "./api.ts";
import { type FrameMessage, openChannel, type ParentMessage } from "./channel.ts";
import { find } from "./page.ts";

/** A running element. Its token is kept in memory only, never in storage. */
export type ElementFrame = {
  sessionToken: string | null;
  send(message: FrameMessage): void;
  /** Runs tasks one at a time; errors are shown and sent to the page around the frame. */
  run(task: () => void | Promise<void>): void;
  /** Stores the tokens after a login or a refresh, and sends them to the page around the frame. */
  setTokens(tokens: Tokens): void;
  logOut(): Promise<void>;
};

type ElementView = Readonly<{
  /** Renders the page for the current session, or without one. */
  show(): void | Promise<void>;
  /** Prefills the contact. */
  suggestContact?(contact: string): void;
}>;

/** Runs a page as an element: handles the messages of the page around it and reports its height. */
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

/** Logs out; a session that has ended already is no error. */
async function endSession(sessionToken: string): Promise<void> {
  try {
    await call("POST", "/auth/logout", { sessionToken });
  } catch (error) {
    if (!(error instanceof CallError && error.code === "UNAUTHORIZED")) throw error;
  }
}
