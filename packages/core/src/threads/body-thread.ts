import { forgetBefore } from "../live/log-tasks.ts";
import { tasks } from "./tasks.ts";
import { serveTasks } from "./thread-task.ts";

export default serveTasks(tasks, forgetBefore);
