import { plural } from "../../plural.ts";
import type { SettingsWords } from "../en.ts";

const count = plural("ar");

/** كلمات الخطوة الثانية لتسجيل الدخول. */
export const secondFactor: SettingsWords["secondFactor"] = {
  title: "الخطوة الثانية لتسجيل دخولك",
  help: "بعد كلمة المرور تكتب رمزا يعرضه تطبيق على هاتفك. عندئذ لا تكفي كلمة مرور مسروقة للدخول.",
  off: "الخطوة الثانية معطّلة: تكفي كلمة مرورك وحدها.",
  setUp: "إعداد",
  on: "تطبيق المصادقة منذ",
  codesLeft: "رموز الاسترداد الباقية",
  codes: (n) =>
    count(n, { zero: "لا رموز", one: "رمز واحد", two: "رمزان", few: "# رموز", many: "# رمزا", other: "# رمز" }),
  fewCodes: "أنشئ رموز استرداد جديدة قبل أن ينفد آخرها. من دون هاتفك هي الطريق الوحيد إلى الدخول.",
  newCodes: "رموز استرداد جديدة",
  changeApp: "تغيير التطبيق",
  turnOff: "تعطيل",
  proveTitle: "أثبت أنك أنت",
  next: "التالي",
  password: "كلمة المرور الحالية",
  code: "الرمز",
  codeHelp: "ستة أرقام من تطبيق المصادقة، أو أحد رموز الاسترداد.",
  scanTitle: "اربط تطبيقك",
  scanText:
    "امسح هذه الصورة بتطبيق مصادقة مثل Aegis أو Google Authenticator أو 1Password، ثم اكتب الرمز الذي يعرضه التطبيق.",
  scanEnds: "عندئذ تنتهي جلساتك الأخرى ويُفصل مساعدوك. تبقى مفاتيح API تعمل.",
  picture: "رمز QR فيه المفتاح",
  key: "المفتاح إن لم تستطع المسح",
  appCode: "الرمز من التطبيق",
  confirm: "تفعيل",
  recoveryTitle: "احتفظ برموز الاسترداد",
  recoveryText: "يحل كل منها محل رمز التطبيق مرة واحدة. تحتاج إليها إن فقدت هاتفك.",
  recoveryLabel: "رموز الاسترداد",
  newCodesTitle: "رموز استرداد جديدة؟",
  newCodesText: "تتوقف الرموز التي احتفظت بها حتى الآن.",
  turnOffTitle: "تعطيل الخطوة الثانية؟",
  turnOffText: "تكفي كلمة مرورك وحدها عندئذ لتسجيل الدخول.",
  turnedOff: "عُطّلت الخطوة الثانية.",
};
