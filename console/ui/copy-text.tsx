import { IconButton } from "./button.tsx";
import { useCopy } from "./use-copy.ts";

type CopyTextProps = Readonly<{
  /** What the text is, such as "webhook address". */
  label: string;
  text: string;
}>;

/** A text that is used elsewhere, such as an address, with a button that copies it. */
export function CopyText({ label, text }: CopyTextProps) {
  const copy = useCopy();
  return (
    <span className="copy-text">
      <code>{text}</code>
      <IconButton icon="copy" label={`Copy the ${label}`} onClick={() => void copy(text)} />
    </span>
  );
}
