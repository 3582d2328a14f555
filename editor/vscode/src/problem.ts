// Errors, and how they are reported to the user.
import * as vscode from 'vscode';

/** An error message with a button that offers a remedy. */
export class Problem extends Error {
  constructor(
    message: string,
    readonly remedy: string,
    readonly mend: () => Thenable<unknown>,
  ) {
    super(message);
  }
}

/** Reports an error; a `Problem` has a button with its remedy. */
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
