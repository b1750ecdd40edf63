import type { SettingsWords } from "../en.ts";

/** كلمات صفحة الفريق. */
export const team: SettingsWords["team"] = {
  title: "الفريق",
  name: "اسم الفريق",
  nameHelp: "يظهر أعلى كل صفحة ويراه الجميع.",
  save: "حفظ",
  since: "موجود منذ",
};
