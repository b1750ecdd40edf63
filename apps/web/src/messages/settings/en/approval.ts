import { isolated } from "../../isolated.ts";

/** Words about apps that a team approves first. */
export const approval = {
  title: "Approval of new apps",
  isFree: "Every member decides which apps to connect to their account.",
  isRequired: "Members connect only apps that you have approved. Apps that are connected already stay.",
  require: "Require approval",
  free: "Let members decide",
  nowRequired: "New apps need an approval now.",
  nowFree: "Members decide themselves now.",
  empty: "Nobody has asked for an app.",
  askedBy: (name: string) => `Asked by ${isolated(name)}`,
  approved: "Approved",
  approve: "Approve",
  approveOf: (name: string) => `Approve ${isolated(name)}`,
  nowApproved: (name: string) => `${isolated(name)} is approved: members may connect it now.`,
  refuse: "Refuse",
  refuseOf: (name: string) => `Refuse ${isolated(name)}`,
  withdraw: "Withdraw approval",
  withdrawOf: (name: string) => `Withdraw approval of ${isolated(name)}`,
  refuseText: "Whoever has connected it is disconnected at once. Members may ask for it again.",
  nowRefused: (name: string) => `${isolated(name)} is refused and disconnected.`,
};
