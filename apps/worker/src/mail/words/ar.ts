import { isolated } from "./isolated.ts";
import type { MailWords } from "./mail-words.ts";

/** The mails in Arabic. */
export const ar: MailWords = {
  direction: "rtl",
  address: "أو افتح هذا العنوان:",
  texts: {
    test: ({ team }) => ({
      subject: "البريد يعمل",
      paragraphs: [`تستطيع قاعدة معارف ${isolated(team)} إرسال البريد، وهذه إحدى رسائلها.`],
      closing: ["طلب هذه الرسالة أحد مشغّلي الخدمة. لا يلزمك فعل شيء."],
    }),
  },
};
