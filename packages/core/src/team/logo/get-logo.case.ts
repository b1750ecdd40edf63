import { caseOf } from "../../testing/operation-case.ts";
import { giveLogo } from "../../testing/picture.ts";
import { getLogo } from "./get-logo.ts";

export const getLogoCase = caseOf(getLogo, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++++N FF FF",
  input: async ({ world }) => {
    await giveLogo(world);
    return {};
  },
  statements: 1,
  withoutPlans: "reads one row by its primary key, and refuses where there is none",
  withoutRoute: "the web app, as the address of an image",
});
