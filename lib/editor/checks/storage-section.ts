import { findFolderFault } from "../../shared/storage/folder-fault";
import { STAND_IN } from "../../shared/stand-in";
import { findSchemaFault, LONGEST_SCHEMA } from "../../shared/storage/store-schema";
import { findStoreUrlFault } from "../../shared/storage/store-url";
import { currentValue, type Dialog } from "../dialog/dialog";
import type { EditedNode } from "../dialog/node-definition";
import type { Texts } from "../dialog/texts";
import { askRuntime } from "../dialog/ask-runtime";

const PLACE = ["keepMessages", "storeFolder", "storeSchema", "storeUrl"] as const;

/** True if the account uses a store location, so that its settings have an effect. */
export const isKeptIn = (node: EditedNode, place: "computer" | "postgresql"): boolean =>
  currentValue(node, "keepMessages") === place;

export const keepsMessages = (node: EditedNode): boolean =>
  isKeptIn(node, "computer") || isKeptIn(node, "postgresql");

export function folderFaultText(texts: Texts, typed: string): string | null {
  const fault = findFolderFault(typed);
  return fault === null ? null : texts(`fault.folder.${fault}`);
}

/** The runtime checks a stored URL. */
export function storeUrlFaultText(texts: Texts, typed: string): string | null {
  const fault = typed === STAND_IN ? null : findStoreUrlFault(typed);
  return fault === null ? null : texts(`fault.storeUrl.${fault}`);
}

export function schemaFaultText(texts: Texts, typed: string): string | null {
  const fault = findSchemaFault(typed);
  return fault === null ? null : texts(`fault.schema.${fault}`, { max: LONGEST_SCHEMA });
}

export function prepareStorage({ node, form, input, watch }: Dialog, texts: Texts): void {
  const select = input("keepMessages");
  const summary = select.closest("details").find(".messaging-summary");
  const update = (): void => void summary.text(getSummary(node, select, texts));
  watch(update);
  select.on("change", update);
  const left = form.find(".messaging-storage-left").hide();
  const place = (): string => PLACE.map((name) => String(input(name).val() ?? "")).join("\n");
  const before = place();
  let waiting = 0;
  const sayLeft = (): void => {
    left.find("span").html(texts(`hint.leftBehind.${waiting === 1 ? "one" : "many"}`, { n: waiting }));
    left.toggle(waiting > 0 && place() !== before);
  };
  for (const name of PLACE) {
    input(name).on("change input", sayLeft);
  }
  showFacts(node, input("storeFolder"), form.find(".messaging-storage-no-sqlite").hide(), texts, (found) => {
    waiting = found;
    sayLeft();
  });
}

function getSummary(node: EditedNode, select: JQuery, texts: Texts): string {
  const place = select.find("option:selected").text();
  if (!keepsMessages(node)) {
    return place;
  }
  const kept = texts("summary.stored", { place, n: String(currentValue(node, "keepDays")) });
  return currentValue(node, "keepTexts") === true ? `${kept} · ${texts("summary.withTexts")}` : kept;
}

/** Shows facts of the runtime after its response. Without a response the dialog works without them. */
function showFacts(
  node: EditedNode,
  folder: JQuery,
  noSqlite: JQuery,
  texts: Texts,
  onWaiting: (count: number) => void,
): void {
  void askRuntime(`messaging-account/${encodeURIComponent(node.id)}/storage`, {}).then(({ ok, body }) => {
    if (ok) {
      folder.attr("placeholder", String(body.folder));
      folder.attr("title", texts("hint.defaultFolder", { folder: String(body.folder) }));
      noSqlite.toggle(body.sqlite === false);
      onWaiting(Number(body.waiting) || 0);
    }
  });
}
