import { useEffect, useRef, useState } from "preact/hooks";
import type { PanelPicture } from "../../../lib/shared/simulator-panel";
import { texts } from "../shared/format";
import { Button } from "../shared/parts";
import { TextInput } from "../shared/inputs";
import { PicturePicker } from "./picture-picker";

export interface Written {
  readonly text: string;
  readonly picture?: PanelPicture;
}

interface ComposerProps {
  readonly label: string;
  /** An SMS carries no picture. */
  readonly hasPicture: boolean;
  readonly complain: (text: string) => void;
  /** @returns whether it worked: then the inputs are cleared */
  readonly onSend: (written: Written) => Promise<boolean>;
  /** The inputs are blank after a message was sent. */
  readonly onSent?: () => void;
}

/** The input of a person's message: a text, a picture, or both. Enter sends. */
export function Composer({ label, hasPicture, complain, onSend, onSent }: ComposerProps) {
  const [text, setText] = useState("");
  const [picture, setPicture] = useState<PanelPicture | null>(null);
  const held = useRef({ text, picture });
  held.current = { text, picture };
  const sending = useRef<Written | null>(null);
  useEffect(() => {
    if (!hasPicture) setPicture(null);
  }, [hasPicture]);

  const isHeld = (written: Written | null): boolean =>
    written !== null &&
    held.current.text.trim() === written.text &&
    held.current.picture === (written.picture ?? null);

  const submit = async (): Promise<void> => {
    const isBlank = text.trim() === "" && picture === null;
    // Pressed twice, the message is sent once.
    if (isBlank || isHeld(sending.current)) {
      return;
    }
    const written: Written = { text: text.trim(), ...(picture && { picture }) };
    sending.current = written;
    const isSent = await onSend(written);
    if (sending.current === written) sending.current = null;
    // What the user wrote in between stays.
    if (isSent && isHeld(written)) {
      setText("");
      setPicture(null);
      onSent?.();
    }
  };
  return (
    <>
      <div class="messaging-row">
        <TextInput label={label} value={text} onInput={setText} onEnter={() => void submit()} />
        <Button icon="paper-plane-o" tip={texts("simulator.send")} onPress={() => void submit()} />
      </div>
      {hasPicture && <PicturePicker picture={picture} onChange={setPicture} complain={complain} />}
    </>
  );
}
