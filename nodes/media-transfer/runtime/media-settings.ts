import { isAbsolute, resolve } from "node:path";
import {
  defaultLimit,
  EXISTING_FILE,
  type ExistingFile,
  LIMIT_RANGES,
  type MediaKind,
  PLACES,
  type Place,
  placeOf,
} from "../shared/media-fields";
import { SetupError } from "../../../lib/shared/messaging-error";
import { quoteValue } from "../../../lib/texts/quote-value";
import { say } from "../../../lib/texts/say";
import { readChoice } from "../../../lib/runtime/node-red/read-settings";
import type { ChannelConfig } from "../../../lib/runtime/channels/channel-definition";

export interface MediaSettings {
  readonly kind: MediaKind;
  readonly place: Place;
  readonly existing: ExistingFile;
  readonly limit: number;
  /** True if the path of an upload comes from configuration or environment, not from a message. */
  readonly fixedPath: boolean;
  readonly baseFolder: string;
}

const MIB = 1024 * 1024;

const badSetting = (text: string): SetupError => new SetupError("BAD_SETTING", text);

const readWord = <Word extends string>(name: string, value: unknown, words: readonly Word[]): Word =>
  readChoice(words, value, () =>
    say("files.setting.choice", { name, value: quoteValue(value), choices: words.join(say("values.or")) }),
  );

/** @throws SetupError BAD_SETTING */
export function readMediaSettings(config: ChannelConfig): MediaSettings {
  const { existing, limit, kind } = config;
  const to = readWord("to", config.to, PLACES);
  const from = readWord("from", config.from, PLACES);
  const place = placeOf(kind, { to, from });
  const text = String(limit).trim();
  const mib = text === "" ? defaultLimit(kind, place) : Number(text);
  const { min, max } = LIMIT_RANGES[place];
  if (!(mib >= min && mib <= max)) {
    throw badSetting(say("files.setting.limit", { value: quoteValue(text), min, max }));
  }
  if (kind === "download" && to === "file" && !config.folder) {
    throw badSetting(say("files.setting.no-folder"));
  }
  return {
    kind: kind as MediaKind,
    place,
    existing: readWord("existing", existing, EXISTING_FILE),
    limit: Math.floor(mib * MIB),
    fixedPath: config.pathSource === "str" || config.pathSource === "env",
    baseFolder: String(config.baseFolder).trim(),
  };
}

/** @throws SetupError BAD_SETTING */
export function resolvePath(path: string, userDir: string | undefined): string {
  if (isAbsolute(path)) {
    return resolve(path);
  }
  if (!userDir) {
    throw badSetting(say("files.setting.incomplete-path", { path: quoteValue(path) }));
  }
  return resolve(userDir, path);
}
