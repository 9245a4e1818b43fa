import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { useCopy } from "./use-copy.ts";

type SecretDialogProps = Readonly<{
  title: string;
  /** What the secret is, for screen readers. */
  label: string;
  secret: string;
  /** What to do with it; by default, that it is not shown again. */
  advice?: string;
  onClose: () => void;
}>;

/** Shows a secret, such as one that the service shows only once, and copies it. */
export function SecretDialog({
  title,
  label,
  secret,
  advice = "Keep it in a safe place. It is not shown again.",
  onClose,
}: SecretDialogProps) {
  const copy = useCopy();
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="dialog-body">
        <p>{advice}</p>
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
