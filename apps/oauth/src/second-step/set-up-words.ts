import type { Language } from "@kb/core";

type SetUpWords = {
  readonly title: string;
  readonly lead: string;
  readonly scan: string;
  readonly picture: string;
  readonly key: string;
  readonly code: string;
  readonly action: string;
  readonly wrong: string;
  readonly codesTitle: string;
  readonly codes: string;
  readonly goOn: string;
};

const words: Readonly<Record<Language, SetUpWords>> = {
  en: {
    title: "Set up your second step",
    lead: "Your team asks for a code of an app after the password, so that a stolen password alone lets nobody in.",
    scan: "Scan this picture with an authenticator app, such as Aegis, Google Authenticator or 1Password.",
    picture: "QR code with the key",
    key: "If you cannot scan, type this key:",
    code: "Code from the app",
    action: "Switch on and log in",
    wrong: "This is not the current code of the app. Check the time of your device, and try the next code.",
    codesTitle: "Keep your recovery codes",
    codes: "Each replaces a code of your app once. You need them if you lose your phone, and no other page shows them.",
    goOn: "I have saved them: continue",
  },
  ar: {
    title: "أعِدّ خطوتك الثانية",
    lead: "يطلب فريقك رمزًا من تطبيق بعد كلمة المرور، فلا تكفي كلمة مرور مسروقة وحدها للدخول.",
    scan: "امسح هذه الصورة بتطبيق مصادقة مثل Aegis أو Google Authenticator أو 1Password.",
    picture: "رمز QR فيه المفتاح",
    key: "إن لم تستطع المسح فاكتب هذا المفتاح:",
    code: "الرمز من التطبيق",
    action: "فعّلها وسجّل الدخول",
    wrong: "ليس هذا الرمز الحالي للتطبيق. تحقق من الوقت في جهازك، ثم جرّب الرمز التالي.",
    codesTitle: "احتفظ برموز الاسترداد",
    codes: "يحل كل منها محل رمز التطبيق مرة واحدة. تحتاج إليها إن فقدت هاتفك، ولا تعرضها صفحة أخرى.",
    goOn: "حفظتها، متابعة",
  },
};

/** Returns the words of the pages that set up a second factor at log-in. */
export const setUpWordsOf = (language: Language): SetUpWords => words[language];
