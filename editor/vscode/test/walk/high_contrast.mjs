// Without a mouse, in high contrast: everything by command and keyboard.
import assert from "node:assert/strict";

export const settings = () => ({ "workbench.colorTheme": "Default High Contrast" });

export const steps = {
  async "a command finds the bug of a failing test"(person) {
    await person.openFile("cart.py");
    await person.command("adebug: Find the Bug Behind a Failing Test");
    await person.isAsked("amount_of([('lamp', 2), ('chair', 1)]) = 100");
  },

  async "the question view is answered with single keys"(person, { picture }) {
    for (const name of ["Variables", "Watch", "Loaded Scripts", "Breakpoints"]) await person.section(name, false);
    await person.section("Execution Tree", true);
    assert.deepEqual(await person.brokenNames(), []);
    await person.focusQuestion();
    await person.key("y");
    await person.isAsked("discount(100) = 0");
    await picture(person, "high-contrast");
    await person.key("n");
    await person.isAsked("if amount > 100");
    await person.key("n");
    await person.isAsked("Bug found");
  },
};
