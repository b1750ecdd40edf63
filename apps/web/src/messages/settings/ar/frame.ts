import { isolated } from "../../isolated.ts";
import { plural } from "../../plural.ts";
import type { SettingsWords } from "../en.ts";

const count = plural("ar");

/** كلمات مشتركة بين صفحات الإعدادات. */
export const frame: SettingsWords["frame"] = {
  allSettings: "كل الإعدادات",
  needsScript: "تحتاج هذه الصفحة إلى JavaScript. فعّله في متصفحك ثم أعد تحميل الصفحة.",
  sections: { account: "الحساب", developers: "المطورون", publishing: "النشر", team: "الفريق" },
  pages: {
    you: { name: "أنت", about: "اسمك وكلمة مرورك وجلساتك ومظهر التطبيق" },
    keys: { name: "مفاتيح API", about: "اسمح للبرامج والخدمات الأخرى بالقراءة والكتابة نيابة عنك" },
    assistants: { name: "المساعدون", about: "اربط Claude وChatGPT وCursor وغيرها" },
    webhooks: { name: "Webhooks", about: "أخبر الخدمات الأخرى عند حدوث تغيير" },
    channels: { name: "القنوات", about: "انشر المستندات في موقع أو برنامج آخر" },
    people: { name: "الأشخاص", about: "ادعُ الأشخاص واختر ما يجوز لهم وأوقف حساباتهم" },
    groups: { name: "مجموعات المستخدمين", about: "ما يجوز لأعضاء كل منها" },
    tags: { name: "الوسوم", about: "أعد تسمية وسوم الفريق ولوّنها وقيّدها" },
    audit: { name: "سجل التدقيق", about: "من فعل ماذا ومتى" },
    transfer: { name: "الاستيراد والتصدير", about: "احفظ المجموعات ملفات" },
    team: { name: "الفريق", about: "اسم الفريق وشعاره" },
  },
  copy: "نسخ",
  copied: "تم النسخ",
  copyOf: (name) => `نسخ ${name}`,
  copyByHand: (keys) => `لم يسمح متصفحك بالنسخ. النص محدد: اضغط ${isolated(keys)}.`,
  secretWarning: "ترى هذا مرة واحدة فقط. احفظه في مكان آمن قبل المتابعة.",
  secretSaved: "حفظته",
  saved: "تم الحفظ.",
  close: "إغلاق",
  never: "أبدا",
  fieldWrong: () => "هذه القيمة غير صالحة.",
  showMore: "عرض المزيد",
  shown: (n, total) =>
    `${n} من ${count(total, { one: "مدخل واحد", two: "مدخلين", few: "# مدخلات", many: "# مدخلا", other: "# مدخل" })}`,
};
