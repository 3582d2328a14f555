// From the lens over a test to the verdict: the execution tree, stepping back, a mark on a value, answers by keyboard.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

export const settings = () => ({ "workbench.colorTheme": "Dark 2026" });

export const steps = {
  async "the lens over a test finds its bug"(person, { picture }) {
    await person.openFile("test_cart.py");
    await person.see("lens", "Find the bug");
    await person.all("lens", "Find the bug").last().click();
    await person.isAsked("amount_of([('lamp', 2), ('chair', 1)]) = 100");
    for (const name of ["Watch", "Loaded Scripts", "Breakpoints"]) await person.section(name, false);
    await person.section("Execution Tree", true);
    await picture(person, "dark-question");
  },

  async "the execution tree shows the node in question, and what is known of the others"(person) {
    await person.seeItem("in question: routine amount_of");
    await person.seeItem("wrong: routine total");
  },

  async "the question is explained"(person) {
    await person.toolbar("Why");
    await person.isAsked("Asked because");
  },

  async "a step back goes to what was done before, and the question can be gone back to"(person) {
    await person.key("Alt+Shift+Y");
    await person.isAsked("discount(100) = 0");
    await person.seeItem("correct: routine amount_of");
    await person.see("frame", "discount(100)");
    await person.toolbar("Step Back");
    await person.gone("frame", "discount(100)");
    await person.command("adebug: Go to the Question");
    await person.see("frame", "discount(100)");
  },

  async "after stepping elsewhere, an answer asks which node is meant"(person, { seen }) {
    await person.toolbar("Step Back");
    await person.gone("frame", "discount(100)");
    await person.isAsked("You are not looking at the question");
    await person.key("Alt+Shift+Y");
    await person.see("choice", "The node you are looking at");
    await person.see("choice", "discount(100) = 0");
    await seen(person, "which-question");
    await person.key("Escape");
    await person.isAsked("discount(100) = 0");
    await person.seeItem("in question: routine discount");
    await person.answer("Go to the question");
    await person.see("frame", "discount(100)");
  },

  async "a value in the Variables view can be said to be wrong"(person, { picture }) {
    await person.rest(); // the view is refilled after each stop
    await person.unfold("variable", "Result");
    await person.at("variable", "result =").click({ button: "right" });
    await person.see("menu", "This Value Is Wrong");
    await picture(person, "dark-mark");
    await person.at("menu", "This Value Is Wrong").click();
    await person.isAsked("if amount > 100");
  },

  async "the keyboard answers, up to the verdict"(person, { picture }) {
    await person.key("Alt+Shift+N");
    await person.isAsked("Bug found");
    await person.see("error");
    await person.panel("Problems");
    await person.see("problem", "the condition `amount > 100` was False, which is wrong");
    await person.see("lens", "Bug found in cart.discount");
    await picture(person, "dark-verdict");
  },

  async "a fix that loops can be cancelled while it is verified"(person, { folder, seen }) {
    const file = path.join(folder, "cart.py");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("    if amount > 100:", "    while amount:\n        pass\n    if amount > 100:"));
    await person.panel("Question");
    await person.answer("Verify the fix");
    await person.see("notification", "verifying");
    await seen(person, "verifying");
    await person.at("button", "Cancel").click();
    await person.isAsked("Not verified: the new run was stopped");
    writeFileSync(file, text);
  },

  async "stopping the session keeps the verdict"(person) {
    await person.toolbar("Stop");
    await person.gone("toolbar");
    await person.see("error");
  },
};
