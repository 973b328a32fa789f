import { type Case, list, literal, literals, PICTURE, reply } from "./literals";

const card = (layout: object, content: object) => ({
  richcardMessage: { message: { generalPurposeCard: { layout, content } } },
});

/** Files, places and cards. */
export const RICH_CASES: Readonly<Record<string, Case>> = {
  "file: everything": {
    sender: {
      kind: "file",
      ...literals("str", {
        fileName: "a.pdf",
        fileMIMEType: "application/pdf",
        fileThumbnailUrl: PICTURE,
        fileThumbnailName: "a.png",
        fileThumbnailMIMEType: "image/png",
      }),
      ...literals("num", { fileSize: "0", fileThumbnailSize: "77" }),
    },
    msg: { payload: "https://example.com/a.pdf" },
    RCSMessage: {
      fileMessage: {
        fileUrl: "https://example.com/a.pdf",
        fileName: "a.pdf",
        fileMIMEType: "application/pdf",
        fileSize: 0,
        thumbnailUrl: PICTURE,
        thumbnailFileName: "a.png",
        thumbnailMIMEType: "image/png",
        thumbnailFileSize: 77,
      },
    },
  },
  "audio: everything": {
    sender: {
      kind: "audio",
      ...literals("str", { audioName: "a.amr", audioMIMEType: "audio/amr" }),
      ...literal("audioSize", "msg", "size"),
      ...literal("playingLength", "num", "9"),
    },
    msg: { payload: "https://example.com/a.amr", size: "1234" },
    RCSMessage: {
      audioMessage: {
        fileUrl: "https://example.com/a.amr",
        fileName: "a.amr",
        fileMIMEType: "audio/amr",
        fileSize: 1234,
        playingLength: 9,
      },
    },
  },
  "location: coordinates that are texts, and everything": {
    sender: {
      kind: "location",
      ...literals("str", {
        positionLabel: "Bern",
        timestamp: "2030-01-01T00:00:00Z",
        positionExpiry: "2030-01-02T00:00:00+01:00",
      }),
      ...literals("num", { radius: "10.5", timeOffset: "-60" }),
    },
    msg: { payload: { latitude: "46.95", longitude: " 10 " } },
    RCSMessage: {
      geolocationPushMessage: {
        pos: "46.95 10",
        label: "Bern",
        timestamp: "2030-01-01T00:00:00Z",
        expiry: "2030-01-02T00:00:00+01:00",
        radius: 10.5,
        timeOffset: -60,
      },
    },
  },
  "location: as one text": {
    sender: { kind: "location", positionAs: "text" },
    msg: { payload: "46.95 7.44" },
    RCSMessage: { geolocationPushMessage: { pos: "46.95 7.44" } },
  },
  "card: the least": {
    sender: { kind: "card" },
    msg: { payload: "About it" },
    RCSMessage: card({ cardOrientation: "VERTICAL" }, { description: "About it" }),
  },
  "card: everything, picture on the left": {
    sender: {
      kind: "card",
      ...literal("cardLayout", "choice", "LEFT"),
      ...literals("str", {
        title: "News",
        mediaUrl: PICTURE,
        mediaContentType: "image/png",
        contentDescription: "A picture",
        mediaThumbnailUrl: PICTURE,
        mediaThumbnailContentType: "image/png",
      }),
      ...literals("num", { mediaFileSize: "1", mediaThumbnailFileSize: "2" }),
      ...literal("mediaHeight", "choice", "TALL_HEIGHT"),
      ...list("cardSuggestions", "More"),
      ...list("suggestions", "Stop"),
    },
    msg: { payload: "About it" },
    RCSMessage: {
      ...card(
        { cardOrientation: "HORIZONTAL", imageAlignment: "LEFT" },
        {
          title: "News",
          description: "About it",
          media: {
            mediaUrl: PICTURE,
            mediaContentType: "image/png",
            mediaFileSize: 1,
            height: "TALL_HEIGHT",
            contentDescription: "A picture",
            thumbnailUrl: PICTURE,
            thumbnailContentType: "image/png",
            thumbnailFileSize: 2,
          },
          suggestions: [reply("More")],
        },
      ),
      suggestedChipList: { suggestions: [reply("Stop")] },
    },
  },
  "carousel: cards as JSON in a text": {
    sender: { kind: "carousel" },
    msg: { payload: Buffer.from('[{"title":"A"},{"title":"B"}]') },
    RCSMessage: {
      richcardMessage: {
        message: {
          generalPurposeCardCarousel: {
            layout: { cardWidth: "MEDIUM_WIDTH" },
            content: [{ title: "A" }, { title: "B" }],
          },
        },
      },
    },
  },
  "carousel: cards with short suggestions, without and with an empty list of them": {
    sender: { kind: "carousel", ...literal("cardWidth", "choice", "SMALL_WIDTH") },
    msg: {
      payload: [{ title: "A", suggestions: ["Buy A"] }, { title: "B" }, { title: "C", suggestions: [] }],
    },
    RCSMessage: {
      richcardMessage: {
        message: {
          generalPurposeCardCarousel: {
            layout: { cardWidth: "SMALL_WIDTH" },
            content: [{ title: "A", suggestions: [reply("Buy A")] }, { title: "B" }, { title: "C" }],
          },
        },
      },
    },
  },
};
