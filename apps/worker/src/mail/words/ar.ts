import { isolated } from "./isolated.ts";
import type { MailWords } from "./mail-words.ts";

/** The mails in Arabic. */
export const ar: MailWords = {
  direction: "rtl",
  address: "أو افتح هذا العنوان:",
  texts: {
    invitation: ({ team, by = "" }) => ({
      subject: `دعوة من ${isolated(by)} إلى ${isolated(team)}`,
      paragraphs: [`يدعوك ${isolated(by)} إلى قاعدة معارف ${isolated(team)}. عيّن اسمك وكلمة مرور لتنضم.`],
      action: "اقبل الدعوة",
      closing: ["يعمل الرابط مرة واحدة خلال 7 أيام.", "إن كنت لا تعرف من يدعوك فتجاهل هذه الرسالة، ولن يحدث شيء."],
    }),
    password_reset: ({ team }) => ({
      subject: "عيّن كلمة مرور جديدة",
      paragraphs: [`طلب شخص كلمة مرور جديدة لحسابك في قاعدة معارف ${isolated(team)}. إن كنت أنت فعيّنها الآن.`],
      action: "عيّن كلمة مرور جديدة",
      closing: [
        "يعمل الرابط مرة واحدة خلال ساعة. كلمة المرور الجديدة تنهي كل جلساتك وتفصل تطبيقاتك.",
        "إن لم تكن أنت فتجاهل هذه الرسالة، وتبقى كلمة مرورك كما هي.",
      ],
    }),
    test: ({ team }) => ({
      subject: "البريد يعمل",
      paragraphs: [`تستطيع قاعدة معارف ${isolated(team)} إرسال البريد، وهذه إحدى رسائلها.`],
      closing: ["طلب هذه الرسالة أحد مشغّلي الخدمة. لا يلزمك فعل شيء."],
    }),
  },
};
