import type { SettingsWords } from "../en.ts";

/** كلمات سجل التدقيق. */
export const audit: SettingsWords["audit"] = {
  title: "سجل التدقيق",
  help: "كل تغيير ورفض وتسجيل دخول ومنح إذن في آخر 365 يوما، الأحدث أولا.",
  download: "تنزيل بصيغة CSV",
  action: "الإجراء",
  actionHelp: "مثل documents.update",
  outcome: "النتيجة",
  outcomes: { all: "الكل", success: "تم", denied: "مرفوض", not_found: "غير موجود", failed: "أخفق" },
  since: "من",
  until: "إلى",
  apply: "تطبيق",
  clear: "مسح",
  table: "المدخلات",
  nobody: "لا أحد",
  empty: "لا مدخل يطابق. غيّر المرشحات.",
};
