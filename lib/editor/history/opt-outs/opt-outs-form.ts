import type { CsvForm } from "../../../shared/csv";
import type { OptOutRow } from "../../../shared/opt-outs";
import { button, el, select, textInput } from "../../activity/dom";
import { texts } from "../../activity/formatting";
import { csvChoice } from "../csv-choice";

/** A number that is searched for or added, with the buttons for it. */
export function optOutsForm(
  mayRead: boolean,
  mayWrite: boolean,
  actions: { readonly search: () => void; readonly add: () => void; readonly save: () => void },
) {
  const number = textInput(texts("optOuts.number"), () => mayRead && actions.search());
  const scope = select(texts("optOuts.scopeOfNew"), [
    ["all", texts("optOuts.scope.all")],
    ["advertisement", texts("optOuts.scope.advertisement")],
  ]);
  const add = button({ icon: "plus", text: texts("optOuts.add") }, actions.add);
  const search = button({ icon: "search", tip: texts("optOuts.search") }, actions.search);
  const save = button({ icon: "download", text: "CSV", tip: texts("optOuts.save") }, actions.save);
  const csv = csvChoice();
  const form = {
    element: el(
      "div",
      "messaging-opt-outs-form",
      el("div", "messaging-view-row", number, mayRead ? search : null),
      el("div", "messaging-view-row", scope, add),
      mayRead ? el("div", "messaging-view-row", csv, save) : null,
    ),
    /** How the file is written. */
    get csv(): CsvForm {
      return csv.value as CsvForm;
    },
    /** Without blanks around it. */
    get number(): string {
      return number.value.trim();
    },
    get scope(): OptOutRow["scope"] {
      return scope.value === "advertisement" ? "advertisement" : "all";
    },
    clear(): void {
      number.value = "";
      update();
    },
  };
  const update = (): void => {
    add.disabled = !mayWrite || form.number === "";
    add.title = texts(mayWrite ? "optOuts.addTip" : "optOuts.writeDenied");
  };
  number.addEventListener("input", update);
  update();
  return form;
}
