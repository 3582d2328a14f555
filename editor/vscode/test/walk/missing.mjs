// An interpreter that does not exist.
export const tellsErrors = true;
export const settings = () => ({ "adebug.interpreter": "/nowhere/python3" });

export const steps = {
  async "a missing interpreter is named, with a button that helps"(person) {
    await person.openFile("cart.py");
    await person.command("adebug: Find the Bug in This File");
    await person.see("notification", "/nowhere/python3");
    await person.see("button", "Choose an Interpreter");
  },
};
