import { isolated } from "../../isolated.ts";

/** Words about choosing a picture. */
export type PictureWords = {
  readonly heading: string;
  readonly help: string;
  readonly choose: string;
  readonly change: string;
  readonly remove: string;
  readonly removed: string;
  readonly saved: string;
  readonly title: string;
  readonly file: string;
  readonly fileHelp: string;
  readonly notAnImage: string;
  readonly preview: string;
  readonly zoom: string;
  readonly across: string;
  readonly down: string;
  readonly save: string;
};

/** Words about pictures of people. */
export const picture = {
  heading: "Picture",
  help: "People of your team see it beside your name. Without one, they see your initials.",
  choose: "Choose a picture",
  change: "Change picture",
  remove: "Remove picture",
  removed: "Your picture is removed.",
  saved: "Your picture is saved.",
  title: "Your picture",
  file: "Image",
  fileHelp:
    "A PNG, JPEG, WebP, GIF or AVIF. Only the square that you choose is sent, without the place and time of a photo.",
  notAnImage: "Your browser cannot show this file as an image. Choose another one.",
  preview: "Your picture as others will see it",
  zoom: "Zoom",
  across: "Left to right",
  down: "Top to bottom",
  save: "Save picture",
  removeOf: (name: string) => `Remove picture of ${isolated(name)}`,
  removeTitle: (name: string) => `Remove the picture of ${isolated(name)}?`,
  removeText: "Everybody then sees their initials. They may choose another picture.",
  removedOf: (name: string) => `The picture of ${isolated(name)} is removed.`,
};

const { file, notAnImage, zoom, across, down } = picture;

/** Words about the logo of the team. */
export const logo: PictureWords = {
  file,
  notAnImage,
  zoom,
  across,
  down,
  heading: "Logo",
  help: "It stands beside the name of the team at the top of every page. Only people of your team see it.",
  choose: "Choose a logo",
  change: "Change logo",
  remove: "Remove logo",
  removed: "The logo is removed.",
  saved: "The logo is saved.",
  title: "Logo of the team",
  fileHelp:
    "A PNG, JPEG, WebP, GIF or AVIF. Only the square that you choose is sent. Zoom out to show all of a wide logo.",
  preview: "The logo as everybody will see it",
  save: "Save logo",
};
