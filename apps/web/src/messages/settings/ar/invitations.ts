import { isolated } from "../../isolated.ts";
import { plural } from "../../plural.ts";
import type { SettingsWords } from "../en.ts";

const count = plural("ar");

/** كلمات الدعوات إلى الفريق، وروابط تعيين كلمة المرور. */
export const invitations: SettingsWords["invitations"] = {
  invite: "دعوة أشخاص",
  emails: "عناوين البريد الإلكتروني",
  emailsHelp: "عنوان في كل سطر، أو تفصل بينها فواصل: 100 على الأكثر.",
  language: "لغة البريد",
  languageHelp: "يستطيعون اختيار لغة أخرى لاحقا.",
  submit: "دعوة",
  mailed: (n) =>
    count(n, {
      one: "دعوة واحدة في طريقها.",
      two: "دعوتان في طريقهما.",
      few: "# دعوات في طريقها.",
      many: "# دعوة في طريقها.",
      other: "# دعوة في طريقها.",
    }),
  members: (emails) => `في الفريق من قبل: ${isolated(emails)}.`,
  link: "الرابط",
  links: "الروابط",
  linkOf: (email) => `رابط ${isolated(email)}`,
  handOver: "لا يُرسل بريد هنا: سلّم كل شخص رابطه. يعمل الرابط مرة واحدة خلال 7 أيام.",
  open: (n) =>
    count(n, {
      one: "دعوة مفتوحة واحدة",
      two: "دعوتان مفتوحتان",
      few: "# دعوات مفتوحة",
      many: "# دعوة مفتوحة",
      other: "# دعوة مفتوحة",
    }),
  none: "لا دعوات مفتوحة.",
  invitedBy: (name) => `دعاه ${isolated(name)}`,
  mails: { pending: "لم يُرسل البريد بعد", sent: "أُرسل البريد", failed: "تعذّر إرسال البريد", none: "بلا بريد" },
  expires: "صالحة حتى",
  expired: "منتهية",
  expiredOn: "انتهت في",
  resend: "إرسال من جديد",
  resendOf: (email) => `إرسال من جديد إلى ${isolated(email)}`,
  resendTitle: (email) => `دعوة ${isolated(email)} من جديد؟`,
  resendText: "يتوقف الرابط السابق. يعمل الرابط الجديد مرة واحدة خلال 7 أيام.",
  resent: (email) => `الدعوة إلى ${isolated(email)} في طريقها.`,
  revoke: "إلغاء",
  revokeOf: (email) => `إلغاء دعوة ${isolated(email)}`,
  revokeTitle: (email) => `إلغاء دعوة ${isolated(email)}؟`,
  revokeText: "يتوقف رابطها فورا.",
  revoked: (email) => `أُلغيت دعوة ${isolated(email)}.`,
};
