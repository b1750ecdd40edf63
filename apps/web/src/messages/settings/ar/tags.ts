import { isolated } from "../../isolated.ts";
import { plural } from "../../plural.ts";
import type { SettingsWords } from "../en.ts";

const count = plural("ar");
const documents = (n: number): string =>
  count(n, {
    zero: "لا مستندات",
    one: "مستند واحد",
    two: "مستندان",
    few: "# مستندات",
    many: "# مستندا",
    other: "# مستند",
  });

/** كلمات صفحة الوسوم. */
export const tags: SettingsWords["tags"] = {
  title: "الوسوم",
  help: "يرى الجميع الوسم على المستندات التي يقرؤونها. الوسم المقيد لا يراه إلا من في قائمته.",
  create: "وسم جديد",
  createRestricted: "وسم مقيد جديد",
  open: "وسوم الفريق",
  openEmpty: "لا وسوم بعد. تُنشأ حين يضيف أحد وسما إلى مستند.",
  restricted: "الوسوم المقيدة",
  restrictedEmpty: "لا وسوم مقيدة.",
  documents,
  seenBy: (names) => `يراه ${names}`,
  edit: "تحرير",
  editOf: (name) => `تحرير ${isolated(name)}`,
  editTitle: (name) => `تحرير ${isolated(name)}`,
  remove: "حذف",
  removeOf: (name) => `حذف ${isolated(name)}`,
  removeTitle: (name) => `حذف ${isolated(name)}؟`,
  removeText: (n) => `يُزال من: ${documents(n)}. تبقى المستندات. القناة التي تستخدمه تعرض أقل لا أكثر.`,
  tagRemoved: (name) => `حُذف ${isolated(name)}.`,
  newTitle: "وسم جديد",
  newRestrictedTitle: "وسم مقيد جديد",
  name: "الاسم",
  nameHelp: "تحصل المستندات التي تعرضه على نسخة جديدة عند تغييره.",
  color: "اللون",
  noColor: "بلا لون",
  save: "حفظ",
  submit: "إنشاء الوسم",
  tagSaved: (name) => `حُفظ ${isolated(name)}.`,
  groups: "مجموعات المستخدمين التي تراه",
  people: "الأشخاص الذين يرونه",
  peopleHelp: "اكتب اسما للعثور على شخص.",
  findPerson: "العثور على شخص",
  nobodyFound: "لا أحد بهذا الاسم.",
  removePerson: (name) => `إزالة ${isolated(name)}`,
};
