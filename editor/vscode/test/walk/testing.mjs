// From a failing test in the Testing view to a verified fix, with the mouse.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";

const TEST = "test_from_a_hundred_on";

export const besidePython = true;
export const settings = () => ({ "workbench.colorTheme": "Light 2026" });

export const steps = {
  async "a failing test in the Testing view offers to find the bug"(person, { picture }) {
    await person.openFile("test_cart.py");
    await person.see("lens", "Find the bug");
    await person.activity("Testing");
    await person.see("test", "test_cart.py");
    await person.command("Test: Run All Tests");
    await person.seeItem("Failed");
    await person.unfold("test", "test_cart.py");
    await person.at("test", TEST).click({ button: "right" });
    await person.see("menu", "Find the Bug");
    await picture(person, "testing");
    await person.at("menu", "Find the Bug").click();
  },

  async "the question comes with the values, and the status bar tells how many are left"(person) {
    await person.isAsked("amount_of([('lamp', 2), ('chair', 1)]) = 100");
    await person.isAsked("[('lamp', 2), ('chair', 1)]");
    await person.see("status", "about 3 questions left");
    for (const name of ["Watch", "Loaded Scripts", "Breakpoints"]) await person.section(name, false);
  },

  async "answering by clicking leads from question to question"(person, { picture }) {
    await person.answer("Yes");
    await person.isAsked("discount(100) = 0");
    await person.see("lens", "discount(100) = 0: is this result right?");
    await picture(person, "question");
  },

  async "what ran is highlighted, what did not is faded, and values stand behind the code"(person) {
    await person.see("highlighted");
    await person.see("faded");
    assert.match(await person.code(), /if amount > 100: = False/);
  },

  async "the last answer leads to the verdict"(person, { picture }) {
    await person.answer("No");
    await person.isAsked("if amount > 100");
    await person.answer("No");
    await person.isAsked("Bug found");
    await person.see("error");
    await person.see("status", "bug found");
    await person.panel("Problems");
    await person.see("problem", "the condition `amount > 100` was False, which is wrong");
    await person.see("problem", "discount(100) = 0 (answered no)");
    await picture(person, "verdict");
  },

  async "an answer can be taken back, and given again"(person) {
    await person.panel("Question");
    await person.answer("Undo");
    await person.isAsked("if amount > 100");
    await person.answer("No");
    await person.isAsked("Bug found");
  },

  async "a fix is verified, and the error goes"(person, { folder, seen }) {
    await person.openFile("cart.py");
    await person.goTo(8, 16);
    await person.key("=");
    await person.key("Control+S");
    await person.gone("dirty", "cart.py");
    assert.match(readFileSync(path.join(folder, "cart.py"), "utf8"), /amount >= 100/);
    await person.answer("Verify the fix");
    await person.see("notification", "hold");
    await person.gone("error");
    await person.isAsked("Fixed");
    await person.see("status", "fixed");
    await seen(person, "verified");
  },
};
