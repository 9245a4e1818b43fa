import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { consoleApi } from "../../api/console-api.ts";
import { logInWithPasskey } from "../../api/passkeys.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { messageOf, useForm } from "../../ui/use-form.ts";
import "./login.css";

/** Logs a member in with a code that is sent to the e-mail address. */
export function LoginPage() {
  const [contact, setContact] = useState<string | null>(null);
  return (
    <main className="login">
      <img src="/console/favicon.svg" alt="" width="40" height="40" />
      {contact === null ? (
        <ContactForm onSent={setContact} />
      ) : (
        <CodeForm contact={contact} onBack={() => setContact(null)} />
      )}
    </main>
  );
}

function ContactForm({ onSent }: Readonly<{ onSent: (contact: string) => void }>) {
  const form = useForm({ contact: "" }, ({ contact }) => consoleApi.auth.requestOtp({ contact }));
  return (
    <form
      className="stack"
      onSubmit={async (event) => {
        event.preventDefault();
        if (await form.submit()) onSent(form.values.contact);
      }}
    >
      <h1>Log in</h1>
      <TextField
        label="E-mail address"
        type="email"
        autoComplete="username"
        required
        {...form.field("contact")}
      />
      <FormError text={form.formError} />
      <Button type="submit" look="primary" isBusy={form.isSaving}>
        Send a code
      </Button>
      <PasskeyButton />
    </form>
  );
}

/** Opens the page that led to the login, or the first one. */
function useOpenConsole() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { next } = useSearch({ from: "/login" });
  return async () => {
    queryClient.clear(); // what another login has read is not this one's
    await navigate({ to: "/", href: next && isConsolePath(next) ? next : undefined });
  };
}

/** Whether the text is a path of this page, and no address to which a link could lead a member. */
const isConsolePath = (text: string): boolean => /^\/(?!\/)/.test(text);

function PasskeyButton() {
  const openConsole = useOpenConsole();
  const [error, setError] = useState<string>();
  return (
    <>
      <Button
        onClick={async () => {
          try {
            await logInWithPasskey();
            await openConsole();
          } catch (caught) {
            setError(messageOf(caught));
          }
        }}
      >
        Log in with a passkey
      </Button>
      <FormError text={error} />
    </>
  );
}

function CodeForm({ contact, onBack }: Readonly<{ contact: string; onBack: () => void }>) {
  const openConsole = useOpenConsole();
  const form = useForm({ otp_code: "" }, ({ otp_code }) =>
    consoleApi.auth.verifyOtp({ contact, otp_code: otp_code.trim() }),
  );
  return (
    <form
      className="stack"
      onSubmit={async (event) => {
        event.preventDefault();
        if (await form.submit()) await openConsole();
      }}
    >
      <h1>Enter the code</h1>
      <p>If {contact} belongs to a member, a code was sent there. It is valid for ten minutes.</p>
      <TextField
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={8}
        required
        {...form.field("otp_code")}
      />
      <FormError text={form.formError} />
      <Button type="submit" look="primary" isBusy={form.isSaving}>
        Log in
      </Button>
      <Button look="plain" onClick={onBack}>
        Use another address
      </Button>
    </form>
  );
}

const FormError = ({ text }: Readonly<{ text: string | undefined }>) =>
  text === undefined ? null : (
    <p className="form-error" role="alert">
      {text}
    </p>
  );
