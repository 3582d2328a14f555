// An ordinary debug session that ends in an uncaught exception.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

export const besidePython = true;
export const settings = () => ({ "workbench.colorTheme": "Dark 2026" });

const PROGRAM = `def mean(numbers):
    return sum(numbers) / len(numbers)


def report(groups):
    return [mean(group) for group in groups]


print(report([[1, 2], []]))
`;
const LAUNCH = { type: "debugpy", request: "launch", name: "report", program: "${workspaceFolder}/report.py" };

export const steps = {
  async "an uncaught exception in an ordinary debug session offers to find the bug"(person, { folder }) {
    mkdirSync(path.join(folder, ".vscode"));
    writeFileSync(path.join(folder, ".vscode/launch.json"), JSON.stringify({ configurations: [LAUNCH] }));
    writeFileSync(path.join(folder, "report.py"), PROGRAM);
    await person.openFile("report.py");
    await person.key("F5");
    await person.see("notification", "ZeroDivisionError");
    await person.at("button", "Find the Bug").click();
    await person.isAsked("mean([])");
    await person.isAsked("ZeroDivisionError");
  },
};
