import type { OperationId } from "../../gateway/contract/operations";
import { hasPortBehind } from "../../shared/outcome-ports";
import { MEDIA_FIELDS, MEDIA_KINDS, type MediaKind } from "../../shared/fields/media-fields";
import { prepareDownload } from "./media-download";
import { readMediaSettings } from "./media-settings";
import { prepareUpload } from "./media-upload";
import type { ChannelDefinition } from "./channel-definition";

const OPERATION: Readonly<Record<MediaKind, OperationId>> = {
  download: "media-download",
  upload: "media-upload",
  attachment: "attachment-create",
};

export const MEDIA_CHANNEL: ChannelDefinition<typeof MEDIA_FIELDS> = {
  label: "Media",
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
