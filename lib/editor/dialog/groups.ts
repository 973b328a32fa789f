import { excerpt } from "../../shared/excerpt";
import type { PropertyDefinition } from "./node-definition";
import { currentValue, type Dialog } from "./dialog";
import { knownText, sharedTexts, type Texts } from "./texts";

const NAMED = 3;
const LONGEST = 20;

type Properties = Readonly<Record<string, PropertyDefinition>>;

interface GroupedSetting {
  readonly name: string;
  readonly initial: unknown;
  readonly element: JQuery;
}

/** Returns the label of a row without the text behind a check box. */
const getLabel = (input: JQuery): string => input.closest(".form-row").find("label").first().text().trim();

function applies(element: JQuery, group: HTMLElement | undefined): boolean {
  const row = element.closest(".form-row")[0];
  for (let at: HTMLElement | null | undefined = row; at && at !== group; at = at.parentElement) {
    if (at.style.display === "none") return false;
  }
  return true;
}

/** Describes a setting in a summary; null for an initial value. */
export type DescribeSetting = (name: string, label: string, element: JQuery) => string | null;

/** Opens groups with a changed or invalid setting, with `data-summarised` only invalid ones. Call before rows are built. */
export function openGroupsInUse(dialog: Dialog, properties: Properties, describe?: DescribeSetting): void {
  const { node, form, input } = dialog;
  if (describe !== undefined) {
    summarise(dialog, properties, describe);
  }
  for (const [name, { value, validate }] of Object.entries(properties)) {
    const group = input(name).closest("details:not([open])");
    const held = node[name];
    if (group.length > 0) {
      const isSet = !group.is("[data-summarised]") && String(held) !== String(value);
      if (isSet || typeof validate?.call(node, held) === "string") {
        group.attr("open", "");
      }
    }
  }
  // The editor marks invalid credentials only after the dialog has been prepared.
  setTimeout(() => form.find(".input-error").closest("details").attr("open", ""));
}

function summarise(
  { node, form, input, watch }: Dialog,
  properties: Properties,
  describe: DescribeSetting,
): void {
  const groups = form.find("details:not([open]):not([data-summarised]):not(.messaging-send-test)").toArray();
  const found = groups.map((group) => {
    const settings: GroupedSetting[] = Object.entries(properties)
      .map(([name, { value }]) => ({ name, initial: value, element: input(name) }))
      .filter(({ element }) => element.length > 0 && group.contains(element[0] as Element));
    return { group: $(group), settings };
  });
  for (const { group, settings } of found.filter((each) => each.settings.length > 0)) {
    group.attr("data-summarised", "");
    const title = group.children("summary");
    // The editor later replaces the contents of an element with `data-i18n`, so the text moves to a child.
    const key = title.attr("data-i18n");
    if (key !== undefined) {
      title
        .removeAttr("data-i18n")
        .empty()
        .append($("<span>", { "data-i18n": key }));
    }
    const line = $("<span>", { class: "messaging-summary" }).appendTo(title);
    const update = (): void => {
      const said = settings
        .filter(
          ({ name, initial, element }) =>
            String(currentValue(node, name)) !== String(initial) && applies(element, group[0]),
        )
        .map(({ name, element }) => describe(name, getLabel(element), element))
        .filter((text) => text !== null);
      const more = said.length - NAMED;
      line.text(
        [...said.slice(0, NAMED), ...(more > 0 ? [sharedTexts("summary.more", { n: more })] : [])].join(
          " · ",
        ),
      );
    };
    watch(update);
    // Labels get their texts after the dialog is prepared.
    setTimeout(update);
  }
}

export const settingText =
  (
    node: Dialog["node"],
    texts: Texts,
    describeField: (source: unknown, value: unknown) => string,
  ): DescribeSetting =>
  (name, label, element) => {
    const source = currentValue(node, `${name}Source`);
    const value = currentValue(node, name);
    if (source === undefined) {
      // The field of a source describes it.
      if (name.endsWith("Source") || typeof value === "boolean") {
        return typeof value === "boolean" ? label : null;
      }
      const option = element
        .find("option")
        .filter((_at, each) => each.getAttribute("value") === String(value));
      return `${label}: ${option.text() || excerpt(String(value), LONGEST)}`;
    }
    if (source === "blank") {
      return null;
    }
    const word = source === "choice" ? knownText(texts, `choice.${name}.${String(value)}`) : null;
    return `${label}: ${word ?? describeField(source, value)}`;
  };
