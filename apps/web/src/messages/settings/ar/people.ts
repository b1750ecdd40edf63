import { isolated } from "../../isolated.ts";
import { plural } from "../../plural.ts";
import type { SettingsWords } from "../en.ts";

const count = plural("ar");

/** كلمات صفحة الأشخاص. */
export const people: SettingsWords["people"] = {
  title: "الأشخاص",
  email: "البريد الإلكتروني",
  name: "الاسم",
  groups: "مجموعات المستخدمين",
  groupsHelp: "تُجمع صلاحياتها.",
  passwordOf: (name) => `كلمة مرور ${isolated(name)}`,
  password: "كلمة المرور",
  search: "البحث بالاسم أو البريد",
  searchButton: "بحث",
  group: "مجموعة المستخدمين",
  anyGroup: "كل المجموعات",
  state: "عرض",
  states: { active: "الأشخاص النشطون", suspended: "الأشخاص الموقوفون", invited: "الدعوات المفتوحة" },
  found: (n) =>
    count(n, { zero: "لا أحد", one: "شخص واحد", two: "شخصان", few: "# أشخاص", many: "# شخصا", other: "# شخص" }),
  nobody: "لا أحد يطابق. غيّر البحث أو المرشحات.",
  systemAdmin: "مدير النظام",
  suspended: "موقوف",
  yourself: "أنت",
  withoutGroup: "في لا مجموعة",
  actionsOf: (name) => `إجراءات ${isolated(name)}`,
  edit: "تحرير",
  editOf: (name) => `تحرير ${isolated(name)}`,
  editTitle: (name) => `تحرير ${isolated(name)}`,
  save: "حفظ",
  personSaved: (name) => `حُفظ ${isolated(name)}.`,
  newPassword: "كلمة مرور جديدة",
  newPasswordOf: (name) => `كلمة مرور جديدة لـ ${isolated(name)}`,
  passwordWay: "كيف يحصل عليها",
  sendLink: "إرسال رابط لتعيين كلمة المرور",
  sendLinkHelp: "يعمل مرة واحدة خلال ساعة. تبقى كلمة مروره حتى ذلك الحين.",
  makePassword: "إنشاء كلمة مرور الآن",
  makePasswordHelp: "تراها مرة واحدة وتسلّمها له. تنتهي جلساته ويُفصل مساعدوه فورا. تبقى مفاتيح API تعمل.",
  submitPassword: { link: "إرسال الرابط", now: "إنشاء كلمة المرور" },
  linkMailed: (email) => `رابط تعيين كلمة المرور في طريقه إلى ${isolated(email)}.`,
  linkText: "لا يُرسل بريد هنا: سلّم الرابط. يعمل مرة واحدة خلال ساعة.",
  suspend: "إيقاف",
  suspendOf: (name) => `إيقاف ${isolated(name)}`,
  suspendTitle: (name) => `إيقاف ${isolated(name)}؟`,
  suspendText: "تتوقف جلساته ومفاتيحه ومساعدوه فورا. يبقى ما كتبه. تستطيع السماح له بالدخول من جديد.",
  personSuspended: (name) => `أُوقف ${isolated(name)}.`,
  unsuspend: "السماح بالدخول من جديد",
  unsuspendOf: (name) => `السماح بالدخول من جديد: ${isolated(name)}`,
  personBack: (name) => `يستطيع ${isolated(name)} تسجيل الدخول من جديد.`,
};
