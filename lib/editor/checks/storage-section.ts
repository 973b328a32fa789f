import { ACCOUNT_DEFAULTS } from "../../shared/fields/account-defaults";
import { findFolderFault } from "../../shared/folder-fault";
import { currentValue, type Dialog } from "../dialog/dialog";
import type { EditedNode } from "../dialog/node-definition";
import type { Texts } from "../dialog/texts";
import { askRuntime } from "./ask-runtime";

/** Properties of the section, in the order of its rows. */
export const STORAGE_PROPERTIES = [
  "keepMessages",
  "storeFolder",
  "keepDays",
  "keepTexts",
  "snapshotLimit",
] as const;

/** Whether the account keeps messages on this computer, so that the other settings have an effect. */
export const keepsMessages = (node: EditedNode): boolean => currentValue(node, "keepMessages") === "computer";

/** Why a typed folder cannot be used, or null. */
export function folderFaultText(texts: Texts, typed: string): string | null {
  const fault = findFolderFault(typed);
  return fault === null ? null : texts(`fault.folder.${fault}`);
}

/**
 * Prepares the section *Storage* of an account. An account that was saved before there was a choice is shown as the memory
 * account that it is, with the advice to change that; until a person has chosen, it goes on without the settings.
 * @returns has to be called before the editor saves the dialog
 */
export function prepareStorage({ node, form, input }: Dialog, texts: Texts): () => void {
  const missing = STORAGE_PROPERTIES.filter((name) => node[name] === undefined);
  const fill = (name: string, value: unknown): void => void input(name).val(String(value));
  for (const name of missing) {
    if (name !== "keepTexts") {
      fill(name, name === "keepMessages" ? "memory" : ACCOUNT_DEFAULTS[name]);
    }
  }
  const select = input("keepMessages");
  const advice = form.find(".messaging-storage-advice");
  let chosen = !missing.includes("keepMessages");
  const update = (): void => {
    chosen ||= select.val() === "computer";
    advice.toggle(!chosen);
  };
  select.on("change", update);
  advice.find("button").on("click", () => {
    select.val("computer").trigger("change").trigger("focus");
  });
  update();
  if (!chosen) {
    advice.closest("details").attr("open", "");
  }
  showFacts(node, input("storeFolder"), form.find(".messaging-storage-no-sqlite").hide(), texts);
  return () => {
    if (!chosen) {
      for (const name of missing) {
        // The editor saves every input that it finds.
        input(name).removeAttr("id");
      }
    }
  };
}

/** Shows what only the runtime knows, once it has answered; where it does not, the dialog works without. */
function showFacts(node: EditedNode, folder: JQuery, noSqlite: JQuery, texts: Texts): void {
  void askRuntime(`messaging-account/${encodeURIComponent(node.id)}/storage`, {}).then(({ ok, body }) => {
    if (ok) {
      folder.attr("placeholder", String(body.folder));
      folder.attr("title", texts("hint.defaultFolder", { folder: String(body.folder) }));
      noSqlite.toggle(body.sqlite === false);
    }
  });
}
