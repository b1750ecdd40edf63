import { isolated } from "../../isolated.ts";
import type { SettingsWords } from "../en.ts";

/** كلمات صفحة المساعدين. */
export const assistants: SettingsWords["assistants"] = {
  title: "المساعدون",
  help: "يبحث مساعدون مثل Claude وChatGPT وCursor ويقرؤون ويحررون عبر MCP بصلاحياتك أنت ولا يتجاوزونها أبدا.",
  switchTitle: "الاتصالات",
  isOn: "يُسمح للمساعدين بالاتصال بهذا الفريق.",
  isOff: "لا يستطيع المساعدون الاتصال بهذا الفريق، ولا يقرأ أي منهم شيئا هنا.",
  askAdmin: "يستطيع أحد المديرين السماح بذلك.",
  turnOn: "السماح للمساعدين",
  turnOff: "إيقاف كل المساعدين",
  turnOffTitle: "إيقاف كل المساعدين؟",
  turnOffText:
    "ينتهي كل اتصال فورا عند كل من في الفريق، ويجب السماح للتطبيقات المتصلة من جديد لاحقا. تبقى مفاتيح API لكنها لا تصل إلى أي مساعد.",
  turnedOn: "يستطيع المساعدون الاتصال الآن.",
  turnedOff: "أُوقف كل المساعدين.",
  connect: "اربط مساعدا",
  address: "العنوان",
  connectHelp: "اختر مساعدك. حين يطلب منك تسجيل الدخول تقرر أنت هل يقرأ فقط أم يكتب أيضا.",
  clients: {
    claude: {
      name: "Claude (سطح المكتب والويب)",
      steps: "في Claude افتح Settings → Connectors → Add custom connector وألصق العنوان.",
    },
    claudeCode: { name: "Claude Code", steps: "نفّذ هذا في الطرفية، ثم /mcp في جلسة لتسجيل الدخول." },
    chatgpt: {
      name: "ChatGPT",
      steps:
        "افتح Settings → Apps & Connectors → Advanced settings وفعّل developer mode ثم اختر Create وألصق العنوان مع OAuth.",
    },
    cursor: { name: "Cursor", steps: "يفتح الزر Cursor الذي يسألك. أو ضع هذا في ‎~/.cursor/mcp.json." },
    vscode: { name: "VS Code", steps: "يفتح الزر VS Code الذي يسألك. أو ضع هذا في ‎.vscode/mcp.json." },
    key: { name: "برنامج آخر بمفتاح API", steps: "أنشئ له مفتاحا في صفحة مفاتيح API وضعه مكان kb_…" },
  },
  client: "المساعد",
  install: (name) => `أضِف إلى ${name}`,
  settingsOf: (name) => `إعدادات ${name}`,
  apps: "التطبيقات المتصلة",
  appsHelp: "التطبيقات التي سمحت لها. التطبيق الذي تفصله يجب أن يطلب إذنك من جديد.",
  teamAppsHelp: "التطبيقات التي سمح لها أشخاص الفريق. تستطيع فصل أي منها.",
  appsEmpty: "لا تطبيق متصل.",
  unnamed: "تطبيق بلا اسم",
  scopes: { read: "القراءة", "read write": "القراءة والكتابة" },
  of: (name) => `سمح له ${isolated(name)}`,
  allowed: "سُمح له",
  lastUsed: "آخر استخدام",
  neverUsed: "لم يُستخدم",
  disconnect: "فصل",
  disconnectOf: (name) => `فصل ${isolated(name)}`,
  disconnectTitle: (name) => `فصل ${isolated(name)}؟`,
  disconnectText: "تنتهي اتصالاته فورا. ليتصل من جديد يجب السماح له مرة أخرى.",
  disconnected: (name) => `فُصل ${isolated(name)}.`,
};
