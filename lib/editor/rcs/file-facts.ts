import type { FieldSpec } from "../../shared/fields/field-spec";
import { askRuntime } from "../dialog/ask-runtime";
import { type Dialog, isOpen } from "../dialog/dialog";
import { iconButton } from "../dialog/icon-button";
import { accountOf } from "../inputs/account/account-property";
import { chosenSource } from "../inputs/field-fault";
import { sharedTexts, type Texts } from "../dialog/texts";

const say: Texts = (key, values) => sharedTexts(`fileFacts.${key}`, values);

/** What is known of a file; null for what its server does not say. */
interface Facts {
  readonly type: string | null;
  readonly size: number | null;
}

/** The fields with the address of a file, and those for its type and size. */
const FIELDS: Readonly<Record<string, { readonly type: string; readonly size: string }>> = {
  fileUrl: { type: "fileMIMEType", size: "fileSize" },
  fileThumbnailUrl: { type: "fileThumbnailMIMEType", size: "fileThumbnailSize" },
  audioUrl: { type: "audioMIMEType", size: "audioSize" },
  mediaUrl: { type: "mediaContentType", size: "mediaFileSize" },
  mediaThumbnailUrl: { type: "mediaThumbnailContentType", size: "mediaThumbnailFileSize" },
};

/** The refusals that have words of their own. */
const REFUSALS = [
  "bad-url",
  "not-public",
  "unreachable",
  "refused",
  "redirects",
  "timeout",
  "busy",
  "not-allowed",
];

/**
 * A button that reads type and size of a file from its URL, by way of the runtime, with a line that says what came of it.
 * @param account id of the account whose proxy leads there
 */
export function fileFactsButton(
  account: () => string,
  url: () => string,
  found: (facts: Facts) => void,
): JQuery {
  const button = iconButton("magic", say("button"));
  const line = $("<span>", { role: "status" });
  button.on("click", () => {
    button.prop("disabled", true);
    line.removeClass("messaging-bad").text(say("running"));
    const id = encodeURIComponent(account() || "none");
    const asked = url().trim();
    void askRuntime(`messaging-account/${id}/file-facts`, { url: asked }).then(({ ok, error, body }) => {
      button.prop("disabled", false);
      if (url().trim() !== asked) {
        // They are the facts of another file.
        line.text("");
        return;
      }
      if (!ok) {
        const key = REFUSALS.includes(error) ? error : "failed";
        line.addClass("messaging-bad").text(say(key, { status: String(body.status ?? "") }));
        return;
      }
      const facts: Facts = {
        type: typeof body.type === "string" ? body.type : null,
        size: typeof body.size === "number" ? body.size : null,
      };
      const parts = [facts.type, facts.size === null ? null : say("bytes", { n: facts.size })];
      const known = parts.filter((part) => part !== null).join(", ");
      const missing = facts.type === null ? "no-type" : facts.size === null ? "no-size" : null;
      line
        .toggleClass("messaging-bad", missing !== null)
        .text(known === "" ? say("nothing") : missing === null ? known : `${known} – ${say(missing)}`);
      found(facts);
    });
  });
  return $("<div>", { class: "messaging-hint messaging-file-facts" }).append(button, " ", line);
}

/** Adds the button below the field of the address of a picture or file, for while such an address is typed. Call it when the row is built. */
export function addFileFacts(dialog: Dialog, spec: FieldSpec): void {
  const { node, form, input, watch, buildShown } = dialog;
  const { name } = spec;
  const fields = FIELDS[name];
  if (fields === undefined) {
    return;
  }
  const fill = (field: string, source: string, value: string): void => {
    // The input has no id until its group is unfolded.
    form.find(`label[for="node-input-${field}"]`).closest("details").attr("open", "");
    buildShown();
    input(field).typedInput("type", source);
    input(field).typedInput("value", value);
  };
  const button = fileFactsButton(
    () => accountOf(node),
    () => (isOpen(dialog) ? String(input(name).typedInput("value")) : ""),
    ({ type, size }) => {
      if (type !== null) fill(fields.type, "str", type);
      if (size !== null) fill(fields.size, "num", String(size));
    },
  ).attr("data-of", name);
  input(name).closest(".form-row").append(button);
  watch(() => void button.toggle(chosenSource(node, spec) === "str"));
}
