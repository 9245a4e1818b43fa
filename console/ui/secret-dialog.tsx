import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { useToasts } from "./toast.tsx";

type SecretDialogProps = Readonly<{
  title: string;
  /** What the secret is, for screen readers. */
  label: string;
  secret: string;
  onClose: () => void;
}>;

/** Shows a secret that the service shows only once, and copies it. */
export function SecretDialog({ title, label, secret, onClose }: SecretDialogProps) {
  const toasts = useToasts();
  async function copy() {
    try {
      await navigator.clipboard.writeText(secret);
      toasts.show("Copied.");
    } catch (error) {
      toasts.showError(error);
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="dialog-body">
        <p>Keep it in a safe place. It is not shown again.</p>
        <input
          className="input"
          aria-label={label}
          readOnly
          value={secret}
          onFocus={(event) => event.target.select()}
        />
      </div>
      <footer>
        <Button onClick={() => void copy()}>Copy</Button>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </footer>
    </Dialog>
  );
}
