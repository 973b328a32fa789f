import { SENDER_VALUES, fieldValues } from "../../../lib/shared/fields/initial-values";
import de from "../locales/de/media-transfer.json";
import en from "../locales/en-US/media-transfer.json";
import type { OperationId } from "../../../lib/gateway/contract/operations";
import { hasPortBehind } from "../../../lib/shared/outcome-ports";
import {
  MEDIA_FIELDS,
  MEDIA_KINDS,
  type MediaKind,
  MEDIA_OUTPUTS,
  MEDIA_SETTINGS,
} from "../shared/media-fields";
import { prepareDownload } from "./media-download";
import { readMediaSettings } from "./media-settings";
import { prepareUpload } from "./media-upload";
import type { ChannelDefinition } from "../../../lib/runtime/channels/channel-definition";

const OPERATION: Readonly<Record<MediaKind, OperationId>> = {
  download: "media-download",
  upload: "media-upload",
  attachment: "attachment-create",
};

export const MEDIA_CHANNEL: ChannelDefinition<typeof MEDIA_FIELDS> = {
  label: "Media",
  labels: { "en-US": en["media-transfer"].field, de: de["media-transfer"].field },
  initial: {
    ...SENDER_VALUES,
    kind: MEDIA_KINDS[0],
    ...MEDIA_SETTINGS,
    ...fieldValues(MEDIA_FIELDS),
    outputs: MEDIA_OUTPUTS,
  },
  messageKinds: MEDIA_KINDS,
  fields: MEDIA_FIELDS,
  recipients: null,
  mayLack: ({ kind, outputs }) => (kind === "download" && hasPortBehind(outputs) ? "mediaId" : null),
  check: readMediaSettings,
  choose: (_values, { kind }) => OPERATION[kind as MediaKind],
  prepare: (values, config, paths) => {
    const settings = readMediaSettings(config);
    return settings.kind === "download"
      ? prepareDownload(values, settings, paths)
      : prepareUpload(values, settings, paths);
  },
};
