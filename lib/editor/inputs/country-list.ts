import { asSentence } from "../dialog/as-sentence";
import { splitCountries } from "../../shared/recipients/allowed-countries";
import { COUNTRIES } from "../../shared/recipients/phone-number";
import { sharedTexts, type Texts } from "../dialog/texts";
import { countryCode, countryName, searchCountries } from "./country-input";

export interface CountryList {
  readonly codes: readonly string[];
}

/** @param row has a `ul` and an `input[type=text]` @param initial codes with commas between */
export function prepareCountryList(
  row: JQuery,
  initial: string,
  texts: Texts,
  changed: () => void,
): CountryList {
  let codes = splitCountries(initial);
  const chips = row.find("ul");
  const adding = row.find("input[type=text]");
  const fault = $("<div>", { class: "messaging-entry-fault", role: "alert" }).insertAfter(adding).hide();
  const change = (next: string[]): void => {
    codes = next;
    show();
    changed();
  };
  const show = (): void => {
    chips.empty().toggle(codes.length > 0);
    for (const [at, code] of codes.entries()) {
      const name = countryName(code);
      const remove = $("<button>", {
        type: "button",
        "aria-label": texts("removeCountry", { country: name }),
      }).append($("<i>", { class: "fa fa-times" }));
      remove.on("click", () => {
        change(codes.filter((each) => each !== code));
        const next = chips.find("button").get(Math.min(at, codes.length - 1));
        (next ?? adding[0])?.focus();
      });
      $("<li>").append($("<span>").text(name), remove).appendTo(chips);
    }
  };
  adding.autoComplete({ search: searchCountries, minLength: 1 });
  const add = (): void => {
    const typed = String(adding.val() ?? "");
    const code = countryCode(typed);
    const isKnown = COUNTRIES.has(code);
    fault.text(asSentence(sharedTexts("fault.country"))).toggle(typed.trim() !== "" && !isKnown);
    if (isKnown) {
      adding.val("");
      change([...codes.filter((each) => each !== code), code]);
    }
  };
  adding.on("change", add);
  adding.on("keydown", (event) => {
    // Enter would close the dialog.
    if (event.key === "Enter" && String(adding.val() ?? "") !== "") {
      event.preventDefault();
      add();
    }
  });
  show();
  return {
    get codes() {
      return codes;
    },
  };
}
