// An interpreter without any packages: one click installs those that adebug needs, for adebug alone.
export const tellsErrors = true;
export const settings = ({ bare }) => ({ "adebug.interpreter": `${bare}/python` });

const INSTALLING = 120_000;

export const steps = {
  async "a missing library is named, and a click installs it"(person) {
    await person.openFile("test_cart.py");
    await person.command("adebug: Find the Bug in This File");
    await person.see("notification", "adebug needs numpy");
    await person.at("button", "Install numpy").click();
    await person.see("lens", "Find the bug", INSTALLING);
  },

  async "breakpoints need debugpy, and that is said"(person) {
    await person.goTo(3);
    await person.key("F9");
    await person.command("adebug: Find the Bug in This File");
    await person.see("notification", "adebug needs debugpy to stop at breakpoints");
    await person.see("button", "Install debugpy");
  },
};
