import { useRef } from "preact/hooks";
import { LARGEST_PICTURE, type PanelPicture, PICTURE_TYPES } from "../../../lib/shared/simulator-panel";
import { texts } from "../shared/format";
import { Button, Icon } from "../shared/parts";

/** Why a file is no picture for a message; also the key of its text. */
type PictureFault = "type" | "size" | "unreadable";

function readFile(file: File): Promise<string | null> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.addEventListener("error", () => resolve(null));
    reader.readAsDataURL(file);
  });
}

async function toPicture(file: File): Promise<PanelPicture | PictureFault> {
  const contentType = PICTURE_TYPES.find((type) => type === file.type);
  if (contentType === undefined) {
    return "type";
  }
  if (file.size === 0 || file.size > LARGEST_PICTURE) {
    return "size";
  }
  const url = await readFile(file);
  return url === null
    ? "unreadable"
    : { contentType, fileName: file.name.slice(-255), base64: url.slice(url.indexOf(",") + 1) };
}

interface PicturePickerProps {
  readonly picture: PanelPicture | null;
  readonly onChange: (picture: PanelPicture | null) => void;
  /** Shows why a file is refused; a blank text clears that. */
  readonly complain: (text: string) => void;
}

/** Chooses the picture of a simulated inbound message: a file, or the sample of the simulator. */
export function PicturePicker({ picture, onChange, complain }: PicturePickerProps) {
  const file = useRef<HTMLInputElement>(null);
  // A file that is read while another one is chosen is too late.
  const choices = useRef(0);
  const choose = (chosen: PanelPicture | null): void => {
    choices.current++;
    onChange(chosen);
  };
  const read = async (input: HTMLInputElement): Promise<void> => {
    const [chosen] = input.files ?? [];
    if (chosen === undefined) return;
    const choice = ++choices.current;
    const found = await toPicture(chosen);
    input.value = "";
    if (choice !== choices.current) return;
    if (typeof found === "string") {
      complain(texts(`simulator.picture.${found}`, { mib: LARGEST_PICTURE / 1_048_576 }));
    } else {
      complain("");
      choose(found);
    }
  };
  return (
    <div class="messaging-row">
      {picture === null ? (
        <>
          <Button
            key="button"
            icon="picture-o"
            text={texts("simulator.picture.choose")}
            onPress={() => file.current?.click()}
          />
          <Button text={texts("simulator.picture.sample")} onPress={() => choose({ sample: true })} />
        </>
      ) : (
        <>
          <span>
            <Icon name="picture-o" />{" "}
            {"sample" in picture ? texts("simulator.picture.sample") : picture.fileName}
          </span>
          <Button
            key="button"
            icon="remove"
            tip={texts("simulator.picture.remove")}
            onPress={() => choose(null)}
          />
        </>
      )}
      <input
        ref={file}
        type="file"
        hidden
        accept={PICTURE_TYPES.join(",")}
        aria-label={texts("simulator.picture.choose")}
        onChange={(event) => void read(event.currentTarget)}
      />
    </div>
  );
}
