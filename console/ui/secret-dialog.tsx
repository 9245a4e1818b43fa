import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { useCopy } from "./use-copy.ts";

type SecretDialogProps = Readonly<{
  title: string;
  /** What the secret is, for screen readers. */
  label: string;
  secret: string;
  onClose: () => void;
}>;

/** Shows a secret that the service shows only once, and copies it. */
export function SecretDialog({ title, label, secret, onClose }: SecretDialogProps) {
  const copy = useCopy();
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
        <Button onClick={() => void copy(secret)}>Copy</Button>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </footer>
    </Dialog>
  );
}
