// What goes wrong, as it is told to the person.
import * as vscode from 'vscode';

/** Something to tell, with a button that does something about it. */
export class Problem extends Error {
  constructor(
    message: string,
    readonly remedy: string,
    readonly mend: () => Thenable<unknown>,
  ) {
    super(message);
  }
}

/** Tell what went wrong; a problem that can be mended has a button. */
export async function tell(error: unknown): Promise<void> {
  if (!(error instanceof Problem)) {
    void vscode.window.showErrorMessage(`adebug: ${said(error)}`);
    return;
  }
  if ((await vscode.window.showErrorMessage(error.message, error.remedy)) !== error.remedy) return;
  try {
    await error.mend();
  } catch (other) {
    await tell(other);
  }
}

export function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
