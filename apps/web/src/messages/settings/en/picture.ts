import { isolated } from "../../isolated.ts";

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
