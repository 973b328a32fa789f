import type { PathFault } from "../../shared/personal-text/personal-text";
import { closestPath } from "./closest-path";
import { parseText } from "./text-library";
import { type Sample, sourcesOf } from "./sample";
import { sampleValues } from "./sample-values";

export interface NamedFault extends PathFault {
  readonly meant: string | null;
}

export interface FilledText {
  /** Paths without a value appear as `⟨path⟩`. */
  readonly text: string;
  readonly personal: boolean;
  /** True if the sample would get exactly this text. */
  readonly exact: boolean;
  readonly faults: readonly NamedFault[];
}

const unknown = (path: string): string => `⟨${path}⟩`;

export const plainText = (text: string): FilledText => ({ text, personal: false, exact: true, faults: [] });

/** A text that cannot be filled stays unchanged. */
export function fillText(template: string, sample: Sample | null): FilledText {
  const text = parseText(template);
  if (text === null) {
    return plainText(template);
  }
  if (typeof text === "string") {
    return { text: template, personal: true, exact: false, faults: [] };
  }
  const outside = new Map(text.outside.map((path) => [path, unknown(path)]));
  const shown = (paths: readonly string[]): object =>
    Object.fromEntries(paths.map((path) => [path, unknown(path)]));
  if (sample === null) {
    return {
      text: String(text.render([shown(text.paths)], outside)),
      personal: true,
      exact: false,
      faults: [],
    };
  }
  const sources = sourcesOf(sample);
  const filled = text.render(sources, outside);
  if (typeof filled === "string") {
    return { text: filled, personal: true, exact: text.outside.length === 0, faults: [] };
  }
  const paths = sampleValues(sample).map(({ path }) => path);
  const faults = [...new Map(filled.map((fault) => [fault.path, fault])).values()];
  const partly = text.render([shown(faults.map(({ path }) => path)), ...sources], outside);
  return {
    text: typeof partly === "string" ? partly : template,
    personal: true,
    exact: false,
    faults: faults.map((fault) => ({ ...fault, meant: closestPath(fault.path, paths) })),
  };
}

export function replacePath(template: string, path: string, by: string): string {
  const written = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const tag = new RegExp(`(\\{\\{\\{?\\s*[&#^/]?\\s*)${written}(?=\\s*\\}\\})`, "g");
  return template.replace(tag, (_tag, open: string) => open + by);
}
